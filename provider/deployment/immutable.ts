/** What was chosen when the deployment was created and can never change: it cannot drift either. */
import { deployment as fields, type Field, type Fields } from "../../schema/fields";
import type { Dialect } from "../dialects";
import { kindOf } from "./plan";
import type { Observed } from "./service";
import { isEqual, isObject, mapValues, valueAt, withValueAt, type Values } from "../values";

/** Names of a deployment are always declared: there is nothing to remember of them. */
const { name: _, source: __, ...optional } = fields;

/**
 * Remembered with the deployment, `null` included, so that declaring it later is no change where it is the same.
 *
 * @param known what was remembered before: nothing that is answered later replaces it
 */
export function immutableValues(observed: Observed, dialect: Dialect, known: Values = {}): Values {
  return withImmutable(known, pickImmutable(optional, { ...observed }, [], dialect));
}

function pickImmutable(table: Fields, seen: Values, at: readonly string[], dialect: Dialect): Values {
  const entries = Object.entries(table).flatMap(([name, field]): [string, unknown][] => {
    const [path, value] = [[...at, name], seen[name]];
    if (field.kind === "leaf") {
      return value !== undefined && isImmutable(field, path, dialect) ? [[name, value]] : [];
    }
    const within = isObject(value) ? value : value === null ? mapValues(field.fields, () => null) : {};
    const inner = pickImmutable(field.fields, within, path, dialect);
    return Object.keys(inner).length > 0 ? [[name, inner]] : [];
  });
  return Object.fromEntries(entries);
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
  return immutablePaths(fields, [], dialect).reduce<ImmutableDrift>(
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

function immutablePaths(table: Fields, at: readonly string[], dialect: Dialect): string[][] {
  return Object.entries(table).flatMap(([name, field]) => {
    const path = [...at, name];
    if (field.kind === "group") return immutablePaths(field.fields, path, dialect);
    return isImmutable(field, path, dialect) ? [path] : [];
  });
}

function isImmutable(field: Field, path: readonly string[], dialect: Dialect): boolean {
  return kindOf(field, path, dialect) === "replacement";
}
