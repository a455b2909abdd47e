/** Finds the arguments that declare an existing deployment, without the service's defaults. */
import type { Fields } from "../../schema/fields";
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
  type Path,
  valueAt,
  type Values,
  withValueAt,
} from "../../schema/tree";
import type { Dialect } from "../dialects";
import { findingsOf } from "../dialects/service-rules";
import { credentialPathsOf, isCredentialVariable } from "../text/credential";
import { sanitize } from "../text/sanitize";
import { declarablePart } from "./declarable";

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
    const part = declarablePart(field.type, value);
    leftOut.push(...part.leftOut.map((place) => formatPath([...path, ...place])));
    return isNothing(part.value) ? all : withValueAt(all, path, part.value);
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
  const removed = pathsIn(args).filter(
    (path) => refusedAt.includes(formatPath(path)) || isRounded(valueAt(args, path)),
  );
  // From the end, so that the indexes of a list stay right.
  const accepted = [...removed].reverse().reduce<Values>((all, path) => withoutItem(all, path), args);
  return { accepted, refusedAt: removed.map(formatPath) };
}

/** JSON can hold larger whole numbers than JavaScript. */
function isRounded(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
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
