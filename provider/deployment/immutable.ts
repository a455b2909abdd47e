/** What was chosen when the deployment was created and can never change: it cannot drift either. */
import { deployment as fields, type Fields } from "../../schema/fields";
import type { Dialect } from "../dialects";
import { kindOf } from "./plan";
import type { Observed } from "./service";
import { isEqual, isObject, mapValues, valueAt, withValueAt, type Values } from "../values";

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
function seenAt(observed: Observed, path: readonly string[]): unknown {
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

export interface ImmutableDrift {
  readonly values: Values;
  /** Paths of what the service answered otherwise. */
  readonly contradicted: readonly string[];
}

/** Drifted values with what can never change as it was declared. */
export function withoutImmutableDrift(declared: Values, drifted: Values, dialect: Dialect): ImmutableDrift {
  return immutablePaths(dialect).reduce<ImmutableDrift>(
    (kept, path) => {
      const [before, now] = [valueAt(declared, path), valueAt(drifted, path)];
      if (before === undefined || isEqual(before, now)) return kept;
      return {
        values: withValueAt(kept.values, path, before),
        contradicted: [...kept.contradicted, path.join(".")],
      };
    },
    { values: drifted, contradicted: [] },
  );
}

/** The same for every deployment of a dialect, and asked for with each read. */
const known = new WeakMap<Dialect, readonly string[][]>();

function immutablePaths(dialect: Dialect): readonly string[][] {
  let paths = known.get(dialect);
  if (paths === undefined) known.set(dialect, (paths = pathsIn(fields, [], dialect)));
  return paths;
}

function pathsIn(table: Fields, at: readonly string[], dialect: Dialect): string[][] {
  return Object.entries(table).flatMap(([name, field]) => {
    const path = [...at, name];
    if (field.kind === "group") return pathsIn(field.fields, path, dialect);
    return kindOf(field, path, dialect) === "replacement" ? [path] : [];
  });
}
