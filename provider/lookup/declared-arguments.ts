/** Finds the arguments that declare an existing deployment, without the service's defaults. */
import type { Fields } from "../../schema/fields";
import { problemsOf } from "../../schema/problems";
import { rows } from "../../schema/rows";
import { rulesOf } from "../../schema/rules";
import { changeTriggers } from "../deployment/explanation";
import type { Observed } from "../deployment/service";
import { whatIsActive } from "../deployment/wait-messages";
import {
  asObject,
  formatPath,
  isEqual,
  isNothing,
  isObject,
  mapValues,
  type Path,
  valueAt,
  type Values,
  withoutAbsent,
  withValueAt,
} from "../../schema/tree";
import type { Dialect } from "../dialects";
import { findingsOf } from "../dialects/service-rules";
import { credentialPathsOf, isCredentialVariable } from "../text/credential";
import { sanitize } from "../text/sanitize";

interface DeclaredArguments {
  /** The arguments without secrets, name and source first. */
  readonly args: Values;
  /** The paths of values that are not declared, some with the reason; they stay on the service unchanged. */
  readonly leftOut: readonly string[];
}

/** For an import whose newest revision, whose values the service shows, is not active. */
export function takenOverUnsettled(observed: Observed): string {
  const { latestRevisionId: latest, latestRevisionStatus: status } = observed;
  const how = status ? ` (${sanitize(status, 40)})` : ": it may be in progress or may have failed";
  return (
    `its newest revision ${sanitize(latest ?? "", 40)} is not active${how}; ${whatIsActive(observed)}. The import describes ` +
    `this revision, and no preview shows that it is not running. To roll it out, ${changeTriggers}`
  );
}

export function declaredArguments(observed: Observed, dialect: Dialect): DeclaredArguments {
  const { secrets: _, ...live } = observed;
  const leftOut: string[] = [];
  const isForOthers = (place: string) => dialect.sourcesOf[place]?.includes(observed.source) === false;
  const isChosen = (path: readonly string[], value: unknown) => {
    const place = path.join(".");
    if (isNothing(value) || (dialect.refusesWrongFields && isForOthers(place))) return false;
    return !isServiceDefault(place, value, observed, dialect);
  };
  const args = rows.reduce<Values>((all, { path, field }) => {
    const around = path.map((_, index) => path.slice(0, index + 1));
    if (!around.every((each) => isChosen(each, valueAt(live, each)))) return all;
    const value = valueAt(live, path);
    if (field.kind === "group") {
      if (field.atomic)
        leftOut.push(...unknownIn(field.fields, asObject(value)).map((name) => formatPath([...path, name])));
      return all;
    }
    const set = withoutNulls(value);
    if (problemsOf(field.type, set).length === 0) return isNothing(set) ? all : withValueAt(all, path, set);
    leftOut.push(formatPath(path));
    return all;
  }, {});
  // They would be in plain text in every file.
  const open = credentialPathsOf(args);
  leftOut.push(...open.map((path) => `${formatPath(path)} (${credentialText(args, path)})`));
  const shown = open.reduce<Values>(withoutItem, args);
  const { accepted, refusedAt } = acceptedPart(shown, dialect);
  leftOut.push(...refusedAt);
  return { args: accepted, leftOut: [...new Set(leftOut)] };
}

function credentialText(args: Values, path: Path): string {
  const variable = asObject(valueAt(args, path.slice(0, -1)));
  const isVariable = path.at(-1) === "value" && isCredentialVariable(variable);
  return isVariable ? `${String(variable["name"])}, which is a credential` : "a credential";
}

/** The arguments without those that only their combination makes wrong. */
function acceptedPart(args: Values, dialect: Dialect): { accepted: Values; refusedAt: string[] } {
  const refusedAt = [
    ...rulesOf(args).map(({ path }) => formatPath(path)),
    ...findingsOf(args, dialect, false).flatMap(({ property, isWarning }) => (isWarning ? [] : [property])),
  ];
  const removed = pathsIn(args).filter((path) => refusedAt.includes(formatPath(path)));
  // From the end, so that the indexes of a list stay right.
  const accepted = [...removed].reverse().reduce<Values>((all, path) => withoutItem(all, path), args);
  return { accepted, refusedAt: removed.map(formatPath) };
}

/** A service may return members that are not set as `null`. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const set = mapValues(value, (member) => (member === null ? undefined : withoutNulls(member)));
  return withoutAbsent(set);
}

/** Removes the whole list around an item: items are not declared one by one. */
function withoutItem(args: Values, path: Path): Values {
  return withValueAt(args, listAround(path) ?? path, undefined);
}

/** The outermost list that the path leads into. */
function listAround(path: Path): Path | undefined {
  const index = path.findIndex((part) => typeof part === "number");
  return index === -1 ? undefined : path.slice(0, index);
}

function pathsIn(value: unknown, around: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const path = [...around, Array.isArray(value) ? Number(key) : key];
    return [path, ...pathsIn(inner, path)];
  });
}

/** Fields of a newer service, as it spells them. */
function unknownIn(table: Fields, values: Values): string[] {
  return Object.keys(values).filter((name) => !Object.hasOwn(table, name) && !isNothing(values[name]));
}

function isServiceDefault(path: string, value: unknown, { name }: Observed, dialect: Dialect): boolean {
  if (Object.hasOwn(dialect.defaults, path)) return isEqual(value, dialect.defaults[path]);
  if (path !== "sourceConfig.customUrl" || dialect.ownAddress === undefined) return false;
  // The name as a host label: lower case, with only valid characters.
  const label = String(name)
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, "-");
  return new RegExp(dialect.ownAddress.replaceAll("{name}", label)).test(String(value));
}
