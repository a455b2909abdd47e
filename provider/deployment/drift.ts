/** Compares what the program declares with what the service has, field by field. */
import type { Leaf } from "../../schema/fields";
import { leaves } from "../../schema/rows";
import type { Observed } from "./service";
import {
  asObject,
  isEqual,
  isObject,
  type Path,
  valueAt,
  type Values,
  valueTowards,
  withValueAt,
} from "../../schema/tree";

/** A declared value, and another one that the service has in its place. */
export interface Difference {
  readonly path: Path;
  readonly declared: unknown;
  /** The value now; undefined if it is missing. */
  readonly observed: unknown;
}

/** Where the service shows another value than is declared. Values that it fills in are ignored. */
export function differencesFrom(declared: Values, observed: Observed): Difference[] {
  return differencesIn(declared, argumentsIn(observed));
}

/** Differences from arguments as they are shown. If a group is removed, so is everything that was declared in it. */
export function differencesIn(declared: Values, shown: Values): Difference[] {
  return leaves.flatMap(({ path, field }) => {
    const value = valueAt(declared, path);
    const now = value === undefined ? undefined : valueTowards(shown, path, (each) => each === null);
    return now === undefined ? [] : differencesInField(field, value, now, shown, path);
  });
}

/** The arguments as the service shows them; those that the response does not contain are undefined. */
export function argumentsIn(observed: Observed): Values {
  const { name } = observed;
  return { ...observed, name: name || undefined, secrets: observedSecrets(observed) };
}

/** The declared values, updated with what the service has instead. */
export function withDifferences(declared: Values, differences: readonly Difference[]): Values {
  return differences.reduce((all, { path, observed }) => withValueAt(all, path, observed), declared);
}

/** The declared values, updated with all that differs on the service. */
export function withDrift(declared: Values, observed: Observed): Values {
  return withDifferences(declared, differencesFrom(declared, observed));
}

function differencesInField(
  field: Leaf,
  declared: unknown,
  now: unknown,
  shown: Values,
  at: Path,
): Difference[] {
  if (field.secret) return differencesInSecrets(declared, now, at);
  if (field.resolvesTo !== undefined && typeof declared === "string" && typeof now === "string") {
    if (field.resolvesTo(declared, now, asObject(valueAt(shown, at.slice(0, -1))))) return [];
  }
  // To a service, an empty map or list may be the same as none.
  if (now === null && isEqual(declared, Array.isArray(declared) ? [] : {})) return [];
  return differencesInData(declared, now, at);
}

/** Differences in free-form data. Lists of different lengths differ as a whole. */
export function differencesInData(declared: unknown, now: unknown, at: Path = []): Difference[] {
  if (now === null || now === undefined) {
    // A removed item leaves a `null`, so that the others keep their places.
    const observed = typeof at.at(-1) === "number" ? null : undefined;
    return declared === null ? [] : [{ path: at, declared, observed }];
  }
  if (isObject(declared) && isObject(now)) {
    return Object.keys(declared).flatMap((key) =>
      differencesInData(declared[key], Object.hasOwn(now, key) ? now[key] : undefined, [...at, key]),
    );
  }
  if (Array.isArray(declared) && Array.isArray(now) && declared.length === now.length) {
    return declared.flatMap((item, index) => differencesInData(item, now[index], [...at, index]));
  }
  return isEqual(declared, now) ? [] : [{ path: at, declared, observed: now }];
}

function differencesInSecrets(declared: unknown, now: unknown, at: Path): Difference[] {
  if (!isObject(declared) || !isObject(now)) return [];
  return Object.entries(declared)
    .map(([name, value]) => ({ path: [...at, name], declared: value, observed: valueAt(now, [name]) }))
    .filter(({ declared: value, observed }) => {
      // A service may drop empty secrets. To the application, an empty value is the same as none.
      if (observed === undefined) return value !== "";
      return !isHidden(observed) && observed !== value;
    });
}

const masks =
  /^[xX.\-_]{3,}$|[*•●]{3,}|^\S{0,16}(\.{3}|…)\S{0,16}$|^\W+(redacted|hidden|masked|secret|sensitive)\W+$|^(redacted|masked)$/i;

/** Whether a service hides a secret: shows no value, or a mask. */
export function isHidden(shown: unknown): boolean {
  return typeof shown !== "string" || shown === "" || masks.test(shown);
}

/** Before the first revision, an empty list does not mean that the secrets were removed. */
function observedSecrets({ secrets, latestRevisionId }: Observed): Values | undefined {
  const isEmpty = secrets !== undefined && Object.keys(secrets).length === 0;
  return isEmpty && latestRevisionId === null ? undefined : secrets;
}

/** Whether the response hides the value of a declared secret. */
export function hasHiddenSecrets(declared: Values, observed: Observed): boolean {
  const secrets = observedSecrets(observed) ?? {};
  return Object.keys(declared).some((name) => !Object.hasOwn(secrets, name) || isHidden(secrets[name]));
}
