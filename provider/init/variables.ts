/** The variables of an agent: their names become secrets, their values stay where they are. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseEnvironment, type EnvironmentFile } from "../agent/environment-file";
import type { GraphConfig } from "../agent/graph-config";
import { decodeUtf8 } from "../agent/open-file";
import { sanitize } from "../text/sanitize";
import { attempt } from "../usage-error";

export interface AgentVariables extends EnvironmentFile {
  /** The file that sets them: an environment file, or the graph configuration. */
  readonly file: string;
  readonly isGraphConfig: boolean;
  /** How messages refer to the place: `.env`, or `env` of the graph configuration. */
  readonly shown: string;
}

/** What the service's own command line reads if nothing else is configured. */
const usualFile = ".env";

/**
 * Finds them as the service's own command line does: in the object or the file of `env`, else in `.env`.
 *
 * @param warn reports a file that does not exist
 * @returns undefined if there are none
 */
export function variablesOf(
  root: string,
  configFile: string,
  config: GraphConfig,
  outside: Readonly<Record<string, string | undefined>>,
  warn: (text: string) => void,
): AgentVariables | undefined {
  if (Object.keys(config.environment).length > 0)
    return {
      ...{ values: config.environment, empty: [], ignored: [] },
      ...{ file: join(root, configFile), isGraphConfig: true, shown: `\`env\` of ${configFile}` },
    };
  const shown = config.environmentFile ?? usualFile;
  const file = resolve(root, shown);
  if (existsSync(file)) {
    const bytes = attempt(shown, "read", () => readFileSync(file));
    const read = parseEnvironment(decodeUtf8(bytes, sanitize(shown)), outside);
    return { ...read, file, isGraphConfig: false, shown: sanitize(shown) };
  }
  if (config.environmentFile !== undefined)
    warn(`${sanitize(shown)}, which ${configFile} mentions, does not exist: no secrets are declared`);
  return undefined;
}

/**
 * The keys of the stack's configuration: `MODEL_API_KEY` to `modelApiKey`, unless another name has that key.
 *
 * @param taken keys with another meaning
 */
export function configKeysForVariables(
  names: readonly string[],
  taken: readonly string[] = [],
): ReadonlyMap<string, string> {
  const used = new Set(taken);
  const keyOf = (name: string) => {
    const words = name.replace(/\W+/g, "_");
    let key = words.toLowerCase().replace(/(?<=.)_+(.)/g, (_, letter: string) => letter.toUpperCase());
    if (used.has(key)) key = words;
    while (used.has(key)) key += "_";
    used.add(key);
    return key;
  };
  return new Map(names.map((name) => [name, keyOf(name)]));
}
