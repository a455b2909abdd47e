/** The script that sets the secrets of a stack from the agent's variables. It contains no value. */
import { relative } from "node:path";
import { parseEnvironment } from "../../provider/agent/environment-file";
import { slashed } from "../../provider/agent/paths";
import type { AgentVariables } from "./agent";
import { filled } from "./texts";

export const secretsScript = "set-secrets.sh";

/**
 * `set-secrets.sh` with what it needs of this agent, and the parser of its variables.
 *
 * @param folder of the project, absolute
 * @param secrets the configuration key of each secret, by its name
 */
export function secretsText(
  { isGraphConfig, values, file }: AgentVariables,
  folder: string,
  secrets: ReadonlyMap<string, string>,
): string {
  const keys = [...secrets].filter(([name]) => Object.hasOwn(values, name));
  const others = Object.keys(values).filter((name) => !secrets.has(name));
  return filled("set-secrets.sh", {
    file: JSON.stringify(slashed(relative(folder, file))),
    isGraphConfig: String(isGraphConfig),
    keys: keys.map((each) => `\n    ${JSON.stringify(each)},`).join(""),
    others: JSON.stringify(others),
    parseEnvironment: String(parseEnvironment),
    script: filled("set-secrets.js").trimEnd(),
  });
}
