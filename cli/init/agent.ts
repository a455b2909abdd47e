/** An agent project, read as the service's own command line does: its graph configuration, and the names of its variables. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { parseEnvironment, type EnvironmentFile } from "../../provider/agent/environment-file";
import { readGraphConfig } from "../../provider/agent/graph-config";
import { decodeUtf8 } from "../../provider/agent/open-file";
import { slashed } from "../../provider/agent/paths";
import type { Dialect } from "../../provider/dialects";
import { isCredentialName } from "../../provider/text/credential";
import { sanitize } from "../../provider/text/sanitize";
import { attempt, UsageError } from "../usage-error";
import type { Io } from "../command";

/** What the service's own command line reads if the configuration has no `env`. */
export const usualFile = ".env";

/**
 * @param from as the user wrote it
 * @param folder of the new project
 * @param configFile the name of the graph configuration
 */
export function readAgent(from: string, folder: string, configFile: string, { cwd, env, stderr }: Io) {
  const root = resolve(cwd, from);
  const config = join(root, configFile);
  if (!existsSync(config))
    throw new UsageError(`${sanitize(from)} is not an agent project: there is no ${sanitize(config)}`);
  const { environment, environmentFile, pinsServer } = readGraphConfig(config);

  const shownPath = (to: string) => sanitize(slashed(relative(cwd, to)));
  const shownConfig = shownPath(config);
  const credentials = Object.keys(environment).filter(isCredentialName);
  if (credentials.length > 0)
    stderr.write(
      `${shownConfig} contains ${credentials.map((each) => sanitize(each)).join(", ")} in plain text, and is uploaded with ` +
        "the folder: move such variables to .env\n",
    );
  const isInConfig = Object.keys(environment).length > 0;
  /** The file that sets the variables. */
  const file = isInConfig ? config : resolve(root, environmentFile ?? usualFile);
  /** For messages. */
  const shown = `${isInConfig ? "`env` of " : ""}${shownPath(file)}`;
  const readVariables = (): EnvironmentFile | undefined => {
    if (isInConfig) return { values: environment, empty: [], ignored: [] };
    const found = statSync(file, { throwIfNoEntry: false });
    if (found?.isFile()) {
      const bytes = attempt(shown, "read", () => readFileSync(file));
      return parseEnvironment(decodeUtf8(bytes, shown), env);
    }
    const mention = environmentFile === undefined ? "" : `, which ${shownConfig} mentions,`;
    const problem = found === undefined ? mention && "does not exist" : "is not a regular file";
    if (problem) stderr.write(`${shown}${mention} ${problem}: no secrets are declared\n`);
    return undefined;
  };
  const variables = readVariables();
  return {
    root,
    /** The root, relative to the project's folder. */
    directory: slashed(relative(folder, root)),
    /** Whether its graph configuration chooses the version of the server. */
    pinsServer,
    /** Their names become secrets, their values stay where they are. */
    variables: variables && { ...variables, file, shown },
  };
}
export type Agent = ReturnType<typeof readAgent>;
export type AgentVariables = NonNullable<Agent["variables"]>;

/** The file with a stack's own variables if there is one (`.env.prod`), else that of the agent. */
export function variablesFileOf(stack: string, { file }: AgentVariables): string {
  const own = `${basename(file) === "langgraph.json" ? join(dirname(file), usualFile) : file}.${stack}`;
  return existsSync(own) ? own : file;
}

/** The names that the deployment gets as secrets, sorted. Reports the others. */
export function secretNames(
  { variables }: Agent,
  { vendor, reservedSecrets }: Dialect,
  { stderr }: Io,
): string[] {
  if (variables === undefined) return [];
  const { values, empty, ignored, shown } = variables;
  const names = Object.keys(values).sort();
  const reserved = names.filter((each) => reservedSecrets.includes(each));
  const report = (left: readonly string[], reason: string) => {
    if (left.length > 0)
      stderr.write(`${left.map((each) => sanitize(each)).join(", ")} in ${shown}: ${reason}\n`);
  };
  report(empty, "not declared, because there is no value");
  report(
    reserved.filter((each) => each !== vendor?.deploymentName),
    "not declared, because the service sets it",
  );
  report(ignored, "ignored, because this is not an assignment");
  return names.filter((each) => !reserved.includes(each));
}
