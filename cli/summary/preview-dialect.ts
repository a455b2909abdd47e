/** Which dialect the service of a deployment uses. */
import { dialects, type Dialect } from "../../provider/dialects";
import { readServiceRules } from "../../provider/settings/reading";
import type { EnvironmentVariables } from "../../provider/settings/table";
import { valueAt, type Values } from "../../schema/tree";
import { providerOf, type Preview, type PreviewStep } from "./preview";

/**
 * The dialect in the state of a deployment, else that of its connection. The engine lists a provider only if it changes.
 * @param env the environment, which provides what the stack's configuration does not
 */
export function dialectsIn(preview: Preview, env: EnvironmentVariables): (step: PreviewStep) => Dialect {
  const ofConnection = (provider: string): string => {
    const listed = preview.steps?.find(({ urn }) => urn === provider);
    const settings: Values = { ...preview.config, ...listed?.newState?.inputs };
    const rules = readServiceRules((key) => settings[key] ?? settings[key.replace(/^.*:/, "")], env);
    return "name" in rules ? rules.name : "standard";
  };
  return ({ oldState, newState }) => {
    const stated = [oldState, newState]
      .map((state) => valueAt(state?.outputs, ["__madeWith", "dialect"]))
      .find((name) => typeof name === "string" && Object.hasOwn(dialects, name));
    return dialects[String(stated ?? ofConnection(providerOf(newState)))]!;
  };
}
