/** Looks up one deployment. It is an error if there is none. */
import { z } from "zod";
import { problemsOf } from "../../schema/problems";
import { formatPath, isObject, type Values } from "../../schema/tree";
import { typeName } from "../../schema/wording";
import type { Observed, Service } from "../deployment/service";
import { DeploymentError, MissingError } from "../errors";

/** By id, or by exact name. */
export type Key = { readonly id: string } | { readonly name: string };

const shape = z.strictObject({ id: z.guid(), name: z.string().min(1) }).partial();

export async function lookUp(
  finder: Pick<Service, "find"> & { byIds(ids: readonly string[]): Promise<Observed[]> },
  key: Key,
): Promise<Observed> {
  if ("id" in key) {
    const [observed] = await finder.byIds([key.id]);
    if (observed === undefined) throw new MissingError(`the id ${key.id}`);
    return observed;
  }
  const { deployment } = await finder.find(key.name);
  if (deployment === undefined) throw new MissingError(`the name "${key.name}"`);
  return deployment;
}

/** Validates the arguments of a lookup: either an id or a name. */
export function keyIn(args: unknown): Key {
  checkObject(args, '{ id: "…" } or { name: "…" }');
  checkShape(shape, args);
  const { id, name } = args as z.infer<typeof shape>;
  if ((id === undefined) === (name === undefined)) {
    throw new DeploymentError("expected either an id or a name of a deployment");
  }
  return (id === undefined ? { name } : { id }) as Key;
}

/** @param expected an example of valid arguments */
export function checkObject(args: unknown, expected: string): asserts args is Values {
  if (!isObject(args)) throw new DeploymentError(`expected ${expected}, got ${typeName(args)}`);
}

/** Throws one error with all problems of the arguments. */
export function checkShape(shape: z.ZodType, value: unknown): void {
  const problems = problemsOf(shape, value);
  if (problems.length === 0) return;
  throw new DeploymentError(
    problems.map(({ path, message }) => `${formatPath(path)}: ${message}`).join("; "),
  );
}
