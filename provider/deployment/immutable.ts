/** What was chosen when the deployment was created and can never change: it cannot drift either. */
import { deployment as fields, type Fields } from "../../schema/fields";
import type { Dialect } from "../dialects";
import { kindOf } from "./plan";
import type { Observed } from "./service";
import {
  isEqual,
  isObject,
  mapValues,
  type Path,
  valueAt,
  withValueAt,
  type Values,
} from "../../schema/tree";

/**
 * Remembered with the deployment, `null` included, so that declaring it later is no change where it is the same.
 *
 * @param before what was remembered before: nothing that is answered later replaces it
 */
export function immutableValues(observed: Observed, dialect: Dialect, before: Values = {}): Values {
  const seen = immutablePaths(dialect)
    // Both are always declared: there is nothing to remember of them.
    .filter(([name]) => name !== "name" && name !== "source")
    .reduce<Values>((values, path) => {
      const value = seenAt(observed, path);
      return value === undefined ? values : withValueAt(values, path, value);
    }, {});
  return withImmutable(before, seen);
}

/** Of an object that is said not to be set, no member is either. */
function seenAt(observed: Observed, path: Path): unknown {
  return path.reduce<unknown>(
    (at, part) => (isObject(at) ? at[part] : at === null ? null : undefined),
    observed,
  );
}

/** Values with what is immutable filled in where they leave it open. */
export function withImmutable(values: Values, immutable: Values): Values {
  const filled = mapValues(immutable, (value, name) => {
    const own = values[name];
    return isObject(value) ? withImmutable(isObject(own) ? own : {}, value) : (own ?? value);
  });
  return { ...values, ...filled };
}

/** Drifted values with what can never change as it was declared, and the paths that the service answered otherwise. */
export function withoutImmutableDrift(declared: Values, drifted: Values, dialect: Dialect) {
  const contradicted = immutablePaths(dialect).filter((path) => {
    const before = valueAt(declared, path);
    return before !== undefined && !isEqual(before, valueAt(drifted, path));
  });
  const values = contradicted.reduce((all, path) => withValueAt(all, path, valueAt(declared, path)), drifted);
  return { values, contradicted };
}

/** A refresh asks for them once for each deployment. */
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
