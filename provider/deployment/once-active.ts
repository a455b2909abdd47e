/**
 * What a service takes only once a revision is active, such as the size of a deployment: a creation leaves it out, and it then is
 * an ordinary difference.
 */
import type { Leaf } from "../../schema/fields";
import { leaves, type Row } from "../../schema/rows";
import { isEqual, type Path, valueAt, type Values, withValueAt } from "../../schema/tree";
import type { CheckedArguments, Outputs } from "./state";

export function isLater({ field }: Row<Leaf>): boolean {
  return field.sent === "onceActive";
}

const paths = leaves.filter(isLater).map(({ path }) => path);

export function isOnceActive(path: Path): boolean {
  return paths.some((each) => isEqual(each, path));
}

/** The declared arguments, with the service's values for what it does not take yet. */
export function withoutLater<T extends Values>(declared: T, shown: Values): T {
  return laterIn(declared).reduce(
    (all, path) => withValueAt(all, path, valueAt(shown, path) ?? undefined),
    declared,
  );
}

/** What the service takes of the declared arguments now: what needs an active revision comes later. */
export function takenNow<T extends Values>(
  declared: T,
  { activeRevisionId }: Pick<Outputs, "activeRevisionId">,
  shown: Values,
): T {
  return typeof activeRevisionId === "string" ? declared : withoutLater(declared, shown);
}

/** The arguments of a state, with the declared values for what was left out. */
export function withLater(args: Values, declared: CheckedArguments): CheckedArguments {
  return laterIn(declared).reduce(
    (all, path) => withValueAt(all, path, valueAt(declared, path)),
    args as CheckedArguments,
  );
}

/** Paths of what the arguments declare, and the service takes only once a revision is active. */
export function laterIn(declared: Values, shown: Values = {}): Path[] {
  const values = paths.map((path) => ({ path, value: valueAt(declared, path) }));
  return values
    .filter(({ path, value }) => value !== undefined && !isEqual(value, valueAt(shown, path)))
    .map(({ path }) => path);
}
