/**
 * What the program leaves to others with the resource option `ignoreChanges`. The engine puts the last known value in the
 * place of the program's, and others may have changed it since: a PATCH that carries it along must carry the service's own.
 */
import { formatPath, memberPaths, type Path, valueAt, withValueAt, type Values } from "../../schema/tree";
import { driftOf } from "./normalized";
import { isCovered } from "./plan";
import type { Context, Patch } from "./service";
import { argumentsIn, privateStateOf, type Declared, type Stored } from "./state";

/** Paths of what a PATCH carries and the program leaves to others. */
export function ignoredIn(patch: Patch, { ignoreChanges = [] }: Pick<Context, "ignoreChanges">): Path[] {
  return memberPaths({ ...patch }).filter((path) => isCovered(formatPath(path), ignoreChanges));
}

/** What is declared, with what the service has at these paths. Reads the deployment where there are any. */
export async function asOnService(
  { service }: Context,
  id: string,
  paths: readonly Path[],
  state: Stored,
  declared: Declared,
): Promise<Declared> {
  const observed = paths.length > 0 ? await service.read(id) : undefined;
  if (observed === undefined) return declared;
  const { values } = driftOf(argumentsIn(declared), observed, privateStateOf(state).normalizations);
  return withValuesAt(declared, paths, values);
}

function withValuesAt<T extends object>(all: T, paths: readonly Path[], values: Values): T {
  return paths.reduce((result, path) => withValueAt(result, path, valueAt(values, path)), all);
}

/** What was sent, without what was only carried along. */
export function withoutIgnored(sent: Values, paths: readonly Path[]): Values {
  return withValuesAt(sent, paths, {});
}
