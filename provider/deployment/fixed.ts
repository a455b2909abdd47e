/** What was chosen when the deployment was created and can never change. */
import { deployment as fields, type Fields } from "../../schema/fields";
import type { Dialect } from "../dialects";
import { kindOf } from "./changes";
import type { Observed } from "./service";
import { isObject, mapValues, type Values } from "./values";

/** Names of a deployment are always declared: there is nothing to remember of them. */
const { name: _, source: __, ...optional } = fields;

/** Kept, `null` included, so that declaring it later is no change where it is the same. */
export function fixedValues(observed: Observed, dialect: Dialect): Values {
  return pickFixed(optional, { ...observed }, [], dialect);
}

function pickFixed(table: Fields, seen: Values, at: readonly string[], dialect: Dialect): Values {
  const entries = Object.entries(table).flatMap(([name, field]): [string, unknown][] => {
    const [path, value] = [[...at, name], seen[name]];
    if (field.kind === "leaf") {
      const isFixed = value !== undefined && kindOf(field, path, dialect) === "replacement";
      return isFixed ? [[name, value]] : [];
    }
    const within = isObject(value) ? value : value === null ? mapValues(field.fields, () => null) : {};
    const inner = pickFixed(field.fields, within, path, dialect);
    return Object.keys(inner).length > 0 ? [[name, inner]] : [];
  });
  return Object.fromEntries(entries);
}

/** Declared values with what is fixed filled in where the program left it open. */
export function withFixed(declared: Values, fixed: Values): Values {
  const filled = mapValues(fixed, (value, name) => {
    const own = declared[name];
    return isObject(value) ? withFixed(isObject(own) ? own : {}, value) : (own ?? value);
  });
  return { ...declared, ...filled };
}
