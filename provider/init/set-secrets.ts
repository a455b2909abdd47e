/** The script that sets the secrets of a stack from the agent's variables. It contains no value. */
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseEnvironment } from "../agent/environment-file";
import { slashed } from "../agent/paths";
import { packageFolder } from "../version";
import type { AgentVariables } from "./agent";

export const secretsScript = "set-secrets.sh";

/**
 * `secrets-script.js` with what it needs of this agent, and the parser of its variables.
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
  return `#!/bin/sh
# Sets the secrets of a stack from the agent's variables. This file contains no value.
#   sh ${secretsScript} [STACK [FILE]]
set -eu
exec node - "$(dirname "$0")" "$@" <<'EOF'
const agent = {
  file: ${JSON.stringify(slashed(relative(folder, file)))},
  isGraphConfig: ${isGraphConfig},
  /** The configuration key of each secret. */
  keys: [${keys.map((each) => `\n    ${JSON.stringify(each)},`).join("")}
  ],
  /** Variables that are not declared on purpose. */
  others: ${JSON.stringify(others)},
};

const parseEnvironment = ${String(parseEnvironment)};

${readFileSync(join(packageFolder() ?? ".", "provider/init/secrets-script.js"), "utf8")}EOF
`;
}
