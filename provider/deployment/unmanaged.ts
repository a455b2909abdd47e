/**
 * Secrets of an imported or adopted deployment that no program has declared yet. A team takes them over one by one, while the
 * service only takes all of them at once: what is not declared yet is sent along as it is.
 */
import { DeploymentError } from "../errors";
import { isHidden } from "./observe";
import type { Observed, Patch } from "./service";
import { memoryOf } from "./state";
import { isObject, type Values } from "../values";

/** The names that stay unmanaged once this is declared. */
export function unmanagedAfter(state: Values, declared: Values): readonly string[] {
  const secrets = isObject(declared["secrets"]) ? declared["secrets"] : {};
  return (memoryOf(state).unmanagedSecrets ?? []).filter((name) => !Object.hasOwn(secrets, name));
}

/** A patch of secrets that takes the unmanaged ones along. */
export function keepUnmanaged(
  patch: Patch,
  unmanaged: readonly string[],
  observed: Observed | undefined,
): Patch {
  if (patch.secrets === undefined || unmanaged.length === 0) return patch;
  return { ...patch, secrets: { ...valuesOf(unmanaged, observed), ...patch.secrets } };
}

function valuesOf(names: readonly string[], observed: Observed | undefined): Record<string, string> {
  const { secrets = {} } = observed ?? {};
  const present = names.filter((name) => Object.hasOwn(secrets, name));
  const hidden = present.filter((name) => isHidden(secrets[name]));
  if (hidden.length > 0) {
    throw new DeploymentError(
      `the service takes all secrets at once and does not show the values of ${hidden.join(", ")}, which it has and the ` +
        "program does not declare: they would be lost. Declare them too; nothing was sent",
    );
  }
  return Object.fromEntries(present.map((name) => [name, secrets[name]!]));
}
