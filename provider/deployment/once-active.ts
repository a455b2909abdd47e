/**
 * What a service takes only once a revision is active, such as the size of a deployment: a creation leaves it out, and it then is
 * an ordinary difference.
 */
import { leaves } from "../../schema/rows";
import { isEqual, type Path, valueAt, type Values, withValueAt } from "../../schema/tree";

const paths = leaves.filter(({ field }) => field.sent === "onceActive").map(({ path }) => path);

export function isOnceActive(path: Path): boolean {
  return paths.some((each) => isEqual(each, path));
}

/** The arguments, with other values for what is declared of this. */
export function withOnceActive<T extends Values>(args: T, declared: Values, values: Values): T {
  return paths
    .filter((path) => valueAt(declared, path) !== undefined)
    .reduce((all, path) => withValueAt(all, path, valueAt(values, path) ?? undefined), args);
}
