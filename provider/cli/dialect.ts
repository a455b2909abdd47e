/** Which service's rules a file is checked by: the flag's, the file's own, the environment's, the default. */
import { dialects } from "../dialects";
import type { KnownDialect } from "../manifest/reference";
import { readServiceRules } from "../settings";
import { UsageError, type Arguments, type Flag, type Io } from "./command";

export const dialectFlag: Flag = {
  name: "dialect",
  value: "NAME",
  doc: "Whose rules to apply; default: the file's `dialect`, DEPLOYMENT_SERVICE_DIALECT, or standard",
  choices: Object.keys(dialects),
};

export function dialectFor({ flags }: Arguments, { env }: Io): KnownDialect {
  const chosen = flags[dialectFlag.name];
  const rules = readServiceRules(undefined, env);
  if (chosen !== undefined)
    return { name: chosen, is: "chosen", baseUrl: "problem" in rules ? undefined : rules.baseUrl };
  if ("problem" in rules) throw new UsageError(rules.problem);
  return { ...rules, is: "default" };
}
