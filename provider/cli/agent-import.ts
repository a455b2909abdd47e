/** Looks for the deployment that already runs an agent, to import it into the new project. */
import type { Connection } from "../control-plane/connect";
import type { Dialect } from "../dialects";
import { bulkFile } from "../import/bulk-file";
import { chooseImports, type Imported } from "../import/choice";
import { readSettings } from "../settings/reading";
import { settingsTable } from "../settings/table";
import { jsonOf, sanitize } from "../text/sanitize";
import { configKeysOf } from "./agent-environment";
import { UsageError, type Io } from "./command";
import type { ServiceOfProject } from "./project-service";
import { connectWith } from "./connection";

export interface FoundAgent extends Imported {
  /** The text of the file for `pulumi import`. */
  readonly file: string;
}

/** Undefined if the service has none of that name, or if the environment has no connection, which is told. */
export async function existingFor(
  { name, secrets: own }: { readonly name: string; readonly secrets: readonly string[] },
  dialect: Dialect,
  { address, keyVariable }: ServiceOfProject,
  io: Io,
): Promise<FoundAgent | undefined> {
  const env = { ...io.env, [settingsTable.dialect.env]: dialect.name };
  const { settings, problems = [] } = readSettings(undefined, env);
  if (settings === undefined) {
    const wrong = problems.filter(({ message }) => !message.includes("is not set"));
    const reason =
      wrong.length > 0
        ? wrong.map(({ message }) => message).join("; ")
        : `for that, first set ${settingsTable.baseUrl.env}=${address} and ${keyVariable}`;
    io.stderr.write(`this did not look for an existing deployment ${name}: ${sanitize(reason)}\n`);
    return undefined;
  }
  const { client } = connectWith(settings, undefined, { ...io, env });
  const { deployment } = await client.find(name);
  if (deployment === undefined) {
    const similar = await similarTo(name, client);
    const others =
      similar.length === 0
        ? ": `pulumi up` will create it"
        : `, but ${similar.map((each) => sanitize(each)).join(", ")}: if one of them is meant, name it with --name`;
    io.stderr.write(`the service at ${settings.baseUrl} has no deployment ${name}${others}\n`);
    return undefined;
  }
  if (deployment.source !== "internal_source")
    throw new UsageError(
      `the service has a deployment ${name} with the source ${sanitize(deployment.source)}, which a folder cannot ` +
        `replace: choose another name with --name`,
    );
  const { imported, skipped } = chooseImports([deployment], settings.dialect);
  const [found] = imported;
  if (found === undefined)
    throw new UsageError(`${name} ${sanitize(skipped[0]!.reason)}: choose another name with --name`);
  // Whoever manages its secrets wants those of the agent's file too, also if the deployment does not have them yet.
  const names = new Set([...own, ...found.secrets.map((each) => each.name)]);
  const secrets = [...configKeysOf([...names])].map(([name, configKey]) => ({ name, configKey }));
  return { ...found, secrets, file: jsonOf(bulkFile([found], settings.dialect, settings.baseUrl)) };
}

async function similarTo(name: string, client: Connection["client"]): Promise<string[]> {
  const found: string[] = [];
  for await (const page of client.list({ nameContains: name })) found.push(...page.map((each) => each.name));
  return found.sort();
}
