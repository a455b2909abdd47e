/** What a program would declare to get an existing deployment: what somebody chose, not what the service filled in. */
import { deployment as fields, type Field, type Fields } from "../../schema/fields";
import type { Observed } from "../deployment/service";
import { isEqual, isObject, type Values } from "../deployment/values";
import type { Dialect } from "../dialects";

export interface Owned {
  /** Name and source first; no secrets. */
  readonly args: Values;
  /** Paths of fields whose values this version does not accept: they stay on the service, unmanaged. */
  readonly leftOut: readonly string[];
}

export function ownedArguments(observed: Observed, dialect: Dialect): Owned {
  const leftOut: string[] = [];
  const { secrets: _, ...seen } = observed;

  const isOwned = (path: string, field: Field, value: unknown) => {
    if (isEmpty(value) || isFilledIn(path, value, observed, dialect)) return false;
    if (dialect.sourcesOf[path]?.includes(observed.source) === false) return false;
    if (field.kind === "leaf" && !field.type.safeParse(value).success) leftOut.push(path);
    return !leftOut.includes(path);
  };
  const pick = (table: Fields, values: Values, at: string): Values => {
    const entries = Object.entries(table).flatMap(([name, field]): [string, unknown][] => {
      const path = at === "" ? name : `${at}.${name}`;
      const inner = field.kind === "group" && isObject(values[name]) ? values[name] : undefined;
      const value = inner && field.kind === "group" ? pick(field.fields, inner, path) : values[name];
      return isOwned(path, field, value) ? [[name, value]] : [];
    });
    return Object.fromEntries(entries);
  };
  return { args: pick(fields, { ...seen }, ""), leftOut };
}

/** Nothing, or a list or an object with nothing in it: the service says so where nobody said anything. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

function isFilledIn(path: string, value: unknown, { name }: Observed, dialect: Dialect): boolean {
  if (Object.hasOwn(dialect.defaults, path)) return isEqual(value, dialect.defaults[path]);
  if (path !== "sourceConfig.customUrl" || dialect.ownAddress === undefined) return false;
  // A name as the label of an address: lower case, without what an address cannot have.
  const label = String(name)
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, "-");
  // Such a name is in no address.
  if (label.length > 253) return false;
  return new RegExp(dialect.ownAddress.replace("{name}", label)).test(String(value));
}
