/** Looks for the deployments that already run an agent, to import them into the new project. */
import { valueAt, withValueAt } from "../../schema/tree";
import { connect, type Connection } from "../../provider/control-plane/connect";
import { uploadPath } from "../../provider/deployment/shown";
import { userWord, withWords } from "../../provider/dialects/words";
import { bulkFile } from "../import/bulk-file";
import { messageOf } from "../../provider/errors";
import { chooseImports } from "../import/choice";
import type { Settings } from "../../provider/settings/settings";
import { jsonOf, sanitize } from "../../provider/text/sanitize";
import { systemClock } from "../../provider/time/clock";
import { UsageError } from "../usage-error";
import type { Io } from "../command";
import type { FoundAgent, ProjectStack } from "./stacks";

/**
 * Adds to each stack the deployment that has its name. Reports what was found. A project without a lookup is better than none: `up`
 * never overwrites a deployment of the same name.
 *
 * @param key the logical name
 */
export async function withExisting(
  stacks: readonly ProjectStack[],
  key: string,
  settings: Settings,
  io: Io,
): Promise<readonly ProjectStack[]> {
  const connection = connect(settings, systemClock, undefined, true);
  const found: ProjectStack[] = [];
  try {
    for (const each of stacks) {
      const existing = await existingFor(each, key, connection, io);
      // What exists keeps its type and size, whatever a new deployment would have.
      const { name: _, source: __, sourceRevisionConfig: ___, ...args } = existing?.args ?? {};
      found.push(existing === undefined ? each : { ...each, existing, args });
    }
    return found;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    io.stderr.write(
      `cannot look for an existing deployment: ${sanitize(messageOf(error))}. If there is one, \`pulumi up\` fails and ` +
        "says how to take it over\n",
    );
    return stacks;
  }
}

async function existingFor(
  { name, stack }: ProjectStack,
  key: string,
  { client, settings }: Connection,
  { stderr }: Io,
): Promise<FoundAgent | undefined> {
  const other = "choose another name with --name";
  const { deployment } = await client.find(name);
  if (deployment === undefined) {
    stderr.write(
      `the service at ${settings.baseUrl} has no deployment ${name}: \`pulumi up\` will create it. If it has another name ` +
        "there, use that with --name\n",
    );
    return undefined;
  }
  const { id, url, source } = deployment;
  const shown = `deployment ${name} (id ${sanitize(id)}${url ? `, ${sanitize(url)}` : ""})`;
  if (source !== "internal_source")
    throw new UsageError(
      `the service at ${settings.baseUrl} has a ${shown} with the source ${sanitize(source)}, which a folder cannot ` +
        "replace. To manage it as it is, create a project with `npx pulumi-deployment-service init agents --yaml --dialect " +
        `${settings.dialect.name}\`, and run \`npx pulumi-deployment-service import --ids ${sanitize(id)}\` there. To deploy the ` +
        `folder next to it, ${other}`,
    );
  // The folder replaces the archive that it runs.
  const withoutArchive = withValueAt(deployment, uploadPath, undefined);
  const { imported, skipped } = chooseImports([withoutArchive], settings.dialect, key);
  const [first] = imported;
  if (first === undefined) throw new UsageError(`the ${shown} ${sanitize(skipped[0]!.reason)}: ${other}`);
  stderr.write(
    `the service at ${settings.baseUrl} has a ${shown}: the stack ${stack} takes it over. If it runs another agent, ${other}\n`,
  );
  // Declared even if it is the service's default, since it decides what the deployment costs.
  const typePath = ["sourceConfig", "deploymentType"];
  const args = withValueAt(first.args, typePath, valueAt(deployment, typePath) ?? undefined);
  const file = jsonOf(
    bulkFile([{ ...first, observed: deployment, args }], settings.dialect, settings.baseUrl),
  );
  return { ...first, args: withWords(args, userWord, settings.dialect), file };
}
