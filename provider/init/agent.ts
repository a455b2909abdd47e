/** An agent project, read as the service's own command line does: the folder with its graph configuration. */
import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { readGraphConfig, type GraphConfig } from "../agent/graph-config";
import { slashed } from "../agent/paths";
import type { Dialect } from "../dialects";
import { isCredentialName } from "../text/credential";
import { sanitize } from "../text/sanitize";
import { UsageError } from "../usage-error";
import type { Caller } from "./request";
import { variablesOf, type AgentVariables } from "./variables";

export interface Agent {
  /** Absolute. */
  readonly root: string;
  /** The root, relative to the project's folder. */
  readonly directory: string;
  readonly variables: AgentVariables | undefined;
}

/**
 * @param from as the user wrote it
 * @param folder of the new project
 * @param configFile the name of the graph configuration
 */
export async function readAgent(
  from: string,
  folder: string,
  configFile: string,
  io: Caller,
): Promise<Agent> {
  const root = resolve(io.cwd, from);
  const config = await configIn(root, from, configFile);
  const warn = (text: string) => io.stderr.write(`${text}\n`);
  const variables = variablesOf(root, configFile, config, io.env, warn);
  const credentials = Object.keys(config.environment).filter(isCredentialName);
  if (credentials.length > 0)
    warn(
      `${configFile} contains ${credentials.map((each) => sanitize(each)).join(", ")} in plain text, and is uploaded with ` +
        "the folder: move such variables to .env",
    );
  return { root, directory: slashed(relative(folder, root)), variables };
}

/** The names that the deployment gets as secrets, sorted. Reports the others. */
export function secretNames(
  { variables }: Pick<Agent, "variables">,
  { vendor, reservedSecrets }: Dialect,
  io: Pick<Caller, "stderr">,
): string[] {
  if (variables === undefined) return [];
  const names = Object.keys(variables.values).sort();
  const reserved = names.filter((each) => reservedSecrets.includes(each));
  const report = (left: readonly string[], reason: string) => {
    if (left.length === 0) return;
    io.stderr.write(`${left.map((each) => sanitize(each)).join(", ")} in ${variables.shown}: ${reason}\n`);
  };
  report(variables.empty, "not declared, because there is no value");
  report(
    reserved.filter((each) => each !== vendor?.deploymentName),
    "not declared, because the service sets it",
  );
  report(variables.ignored, "ignored, because this is not an assignment");
  return names.filter((each) => !reserved.includes(each));
}

async function configIn(root: string, from: string, file: string): Promise<GraphConfig> {
  if (!existsSync(join(root, file)))
    throw new UsageError(
      existsSync(root)
        ? `${sanitize(from)} is no agent project: it has no ${file}`
        : `--from ${sanitize(from)}: there is no folder ${sanitize(root)}`,
    );
  return readGraphConfig(join(root, file));
}
