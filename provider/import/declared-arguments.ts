/** What a program would declare to get an existing deployment: what somebody chose, not what the service filled in. */
import { deployment as fields, type Field, type Fields } from "../../schema/fields";
import type { Observed } from "../deployment/service";
import { isEqual, isObject, valueAt, type Values, formatPath } from "../../schema/tree";
import type { Dialect } from "../dialects";
import { findingsOf } from "../dialects/service-rules";
import { declarablePart } from "./declarable";

export interface DeclaredArguments {
  /** Name and source first; no secrets. */
  readonly args: Values;
  /** Places of what cannot be declared: it stays on the service as it is. */
  readonly leftOut: readonly string[];
}

/** @param declared what a manifest declares anyway, also where it is only what the service fills in */
export function declaredArguments(
  observed: Observed,
  dialect: Dialect,
  declared: Values = {},
): DeclaredArguments {
  const { secrets: _, ...seen } = observed;
  // What this version would refuse in a program.
  const refused = findingsOf({ ...seen }, dialect, false)
    .filter(({ kind, isWarning }) => kind === "value" && !isWarning)
    .map(({ property }) => property);
  const leftOut = [...refused];

  const isForOthers = (place: string) => dialect.sourcesOf[place]?.includes(observed.source) === false;
  const isChosen = (path: readonly string[], value: unknown) => {
    const place = path.join(".");
    if (isEmpty(value) || refused.includes(place) || (dialect.refusesWrongFields && isForOthers(place)))
      return false;
    const isDeclared = (valueAt(declared, path) ?? null) !== null;
    return isDeclared || !isFilledIn(place, value, observed, dialect);
  };
  const declarable = (field: Field, path: readonly string[], value: unknown): unknown => {
    if (field.kind === "group") {
      if (!isObject(value)) return undefined;
      if (field.atomic)
        leftOut.push(...unknownIn(field.fields, value).map((name) => formatPath([...path, name])));
      return pick(field.fields, value, path);
    }
    const part = declarablePart(field.type, value);
    leftOut.push(...part.leftOut.map((place) => formatPath([...path, ...place])));
    return part.value;
  };
  const pick = (table: Fields, values: Values, at: readonly string[]): Values => {
    const entries = Object.entries(table).flatMap(([name, field]): [string, unknown][] => {
      const path = [...at, name];
      if (!isChosen(path, values[name])) return [];
      const value = declarable(field, path, values[name]);
      return isEmpty(value) ? [] : [[name, value]];
    });
    return Object.fromEntries(entries);
  };
  return { args: { ...pick(fields, { ...seen }, []), ...forDeletion(declared) }, leftOut };
}

/** What only a deletion sends: no response shows it, and the state needs it before the next update. */
function forDeletion(declared: Values): Values {
  const isLiteral = ([name, value]: [string, unknown]) =>
    sentOnDelete.has(name) && typeof value === "boolean";
  return Object.fromEntries(Object.entries(declared).filter(isLiteral));
}

const sentOnDelete = new Set(
  Object.entries(fields).flatMap(([name, field]: [string, Field]) =>
    field.kind === "leaf" && field.sent === "onDelete" ? [name] : [],
  ),
);

/** What a newer service has in an object, in its own spelling. */
function unknownIn(table: Fields, values: Values): string[] {
  return Object.keys(values).filter((name) => !Object.hasOwn(table, name) && !isEmpty(values[name]));
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
  return new RegExp(dialect.ownAddress.replaceAll("{name}", label)).test(String(value));
}
