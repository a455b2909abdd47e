/** Which dialect the service of a deployment uses. */
import { dialects, type Dialect } from "../../provider/dialects";
import { readSettings } from "../../provider/settings/reading";
import type { EnvironmentVariables } from "../../provider/settings/table";
import { valueAt } from "../../schema/tree";
import type { Preview, PreviewStep } from "./preview";

/**
 * The dialect in the state of a deployment, else that of the stack.
 * @param env the environment, which provides what the stack's configuration does not
 */
export function dialectsIn({ config }: Preview, env: EnvironmentVariables) {
  const ofStack = readSettings((key) => config?.[key], env).dialect?.name ?? "standard";
  return (steps: readonly PreviewStep[]): Dialect => {
    const stated = steps
      .flatMap(({ oldState, newState }) => [oldState, newState])
      .map((state) => valueAt(state?.outputs, ["__madeWith", "dialect"]))
      .find((name) => typeof name === "string" && Object.hasOwn(dialects, name));
    return dialects[String(stated ?? ofStack)]!;
  };
}
