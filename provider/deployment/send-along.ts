/** A change of an imported or adopted deployment takes along what the program does not declare of it. */
import type { Context } from "./context";
import type { Patch } from "./service";
import { argumentsIn, memoryOf, type Memory } from "./state";
import { keepUndeclared, touchesUndeclared, undeclaredAfter } from "./undeclared";
import { keepUnmanaged, unmanagedAfter } from "./unmanaged";
import type { Values } from "../values";

export interface Kept {
  readonly patch: Patch;
  /** What is still not declared after the change. */
  readonly memory: Pick<Memory, "unmanagedSecrets" | "undeclared">;
}

/** Reads the deployment only where something of it would be lost otherwise. */
export async function sendAlong(
  { service, dialect }: Context,
  id: string,
  patch: Patch,
  state: Values,
  declared: Values,
): Promise<Kept> {
  const { undeclared = [] } = memoryOf(state);
  const unmanagedSecrets = unmanagedAfter(state, declared);
  const losesSecrets = patch.secrets !== undefined && unmanagedSecrets.length > 0;
  const losesParts = touchesUndeclared(patch, undeclared);
  const observed = losesSecrets || losesParts ? await service.read(id) : undefined;
  const withSecrets = keepUnmanaged(patch, unmanagedSecrets, observed);
  const [before, after] = [argumentsIn(state), argumentsIn(declared)];
  const whole =
    losesParts && observed !== undefined
      ? keepUndeclared(withSecrets, before, after, observed, dialect)
      : withSecrets;
  return {
    patch: whole,
    memory: { unmanagedSecrets, undeclared: undeclaredAfter(undeclared, whole, after, dialect) },
  };
}
