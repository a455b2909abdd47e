/** Values that are chosen when a deployment is created and can never change, so they cannot drift either. */
import { deployment as fields, type Fields } from "../../schema/fields";
import type { Dialect } from "../dialects";
import { kindOf } from "./field-change";
import type { Observed } from "./service";
import {
  isEqual,
  isObject,
  type Path,
  valueAt,
  type Values,
  withMissing,
  withValueAt,
} from "../../schema/tree";

/**
 * Values to record with the deployment, `null` included, so that declaring the same value later is not a change.
 *
 * @param before values recorded earlier, which later responses never replace
 */
export function immutableValues(observed: Observed, dialect: Dialect, before: Values = {}): Values {
  const seen = immutablePaths(dialect)
    // Both are always declared.
    .filter(([name]) => name !== "name" && name !== "source")
    .reduce<Values>((values, path) => {
      const value = seenAt(observed, path);
      return value === undefined ? values : withValueAt(values, path, value);
    }, {});
  return withMissing(before, seen);
}

/** Members of an object that is `null` are `null` too. */
function seenAt(observed: Observed, path: Path): unknown {
  return path.reduce<unknown>(
    (at, part) => (isObject(at) ? at[part] : at === null ? null : undefined),
    observed,
  );
}

/** Restores declared immutable values, and returns the paths for which the service reports different values. */
export function withoutImmutableDrift(declared: Values, drifted: Values, dialect: Dialect) {
  const contradicted = immutablePaths(dialect).filter((path) => {
    const before = valueAt(declared, path);
    return before !== undefined && !isEqual(before, valueAt(drifted, path));
  });
  const values = contradicted.reduce((all, path) => withValueAt(all, path, valueAt(declared, path)), drifted);
  return { values, contradicted };
}

/** Cached, because a refresh needs them for each deployment. */
const pathsOf = new WeakMap<Dialect, Path[]>();

function immutablePaths(dialect: Dialect): Path[] {
  const known = pathsOf.get(dialect) ?? immutableIn(fields, [], dialect);
  pathsOf.set(dialect, known);
  return known;
}

function immutableIn(table: Fields, at: Path, dialect: Dialect): Path[] {
  return Object.entries(table).flatMap(([name, field]) => {
    const path = [...at, name];
    if (field.kind === "group") return immutableIn(field.fields, path, dialect);
    return kindOf(field, path, dialect) === "replacement" ? [path] : [];
  });
}
