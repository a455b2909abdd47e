/** Looks for the deployments that already run an agent, to import them into the new project. */
import { valueAt, withValueAt } from "../../schema/tree";
import type { Connection } from "../control-plane/connect";
import { userWord, withWords } from "../dialects/words";
import { bulkFile } from "../import/bulk-file";
import { chooseImports } from "../import/choice";
import { jsonOf, sanitize } from "../text/sanitize";
import { UsageError } from "../usage-error";
import type { Caller } from "./request";
import type { FoundAgent, ProjectStack } from "./stacks";

/**
 * Adds to each stack the deployment that has its name. Reports what was found.
 *
 * @param key the logical name
 */
export async function withExisting(
  stacks: readonly ProjectStack[],
  key: string,
  { client, settings }: Connection,
  io: Pick<Caller, "stderr">,
): Promise<ProjectStack[]> {
  const found: ProjectStack[] = [];
  for (const each of stacks) {
    const existing = await existingFor(each, key, { client, settings }, io);
    // What exists keeps its type and size, whatever a new deployment would have.
    const { name: _, source: __, ...args } = existing?.args ?? {};
    found.push(existing === undefined ? each : { ...each, existing, args });
  }
  return found;
}

async function existingFor(
  { name, stack }: ProjectStack,
  key: string,
  { client, settings }: Pick<Connection, "client" | "settings">,
  { stderr }: Pick<Caller, "stderr">,
): Promise<FoundAgent | undefined> {
  const other = "choose another name with --name";
  const { deployment } = await client.find(name);
  if (deployment === undefined) {
    const similar = (await similarTo(name, client)).map((each) => sanitize(each));
    const others =
      similar.length === 0
        ? ": `pulumi up` will create it"
        : `, but ${similar.join(", ")}: if one of them is this agent's, use its name with --name`;
    stderr.write(`the service at ${settings.baseUrl} has no deployment ${name}${others}\n`);
    return undefined;
  }
  const { id, url, source } = deployment;
  const shown = `deployment ${name} (id ${sanitize(id)}${url ? `, ${sanitize(url)}` : ""})`;
  if (source !== "internal_source")
    throw new UsageError(
      `the service at ${settings.baseUrl} has a ${shown} with the source ${sanitize(source)}, which a folder cannot ` +
        `replace: ${other}`,
    );
  const { imported, skipped } = chooseImports(
    [deployment],
    settings.dialect,
    undefined,
    new Map([[id.toLowerCase(), key]]),
  );
  const [first] = imported;
  if (first === undefined) throw new UsageError(`the ${shown} ${sanitize(skipped[0]!.reason)}: ${other}`);
  stderr.write(
    `the service at ${settings.baseUrl} has a ${shown}: the stack ${stack} takes it over. If it runs another agent, ${other}\n`,
  );
  // Declared even if it is the service's default, since it decides what the deployment costs.
  const typePath = ["sourceConfig", "deploymentType"];
  const args = withValueAt(first.args, typePath, valueAt(deployment, typePath) ?? undefined);
  const file = jsonOf(bulkFile([{ ...first, args }], settings.dialect, settings.baseUrl));
  return { ...first, args: withWords(args, userWord, settings.dialect), file };
}

async function similarTo(name: string, client: Connection["client"]): Promise<string[]> {
  const found: string[] = [];
  for await (const page of client.list({ nameContains: name })) found.push(...page.map((each) => each.name));
  return found.sort();
}
