/** Finds drift: compares what the service has with what the program declares, field by field. */
import { deployment as fields, type Field, type Fields } from "../../schema/fields";
import type { Observed } from "./service";
import { type Difference, isEqual, isObject, mapValues, type Values, withValueAt } from "../../schema/tree";

/**
 * The declared values, updated with values that differ on the service. Ignores values that were never declared, that the
 * response does not contain, or that are defaults filled in by the service.
 */
export function withDrift(declared: Values, observed: Observed): Values {
  const seen: Values = {
    name: observed.name || undefined,
    source: observed.source,
    sourceConfig: observed.sourceConfig,
    sourceRevisionConfig: observed.sourceRevisionConfig,
    secrets: observedSecrets(observed),
    secretReferences: observed.secretReferences,
  };
  const { secrets, ...rest } = declared;
  const merged = mergeFields(fields, rest, seen);
  if (secrets === undefined) return merged;
  return { ...merged, secrets: mergeSecrets(secrets, seen["secrets"]) };
}

function mergeFields(table: Fields, declared: Values, seen: Values): Values {
  const entries = Object.entries(declared).flatMap(([name, value]): [string, unknown][] => {
    const field = Object.hasOwn(table, name) ? table[name] : undefined;
    const now = seen[name];
    if (field === undefined || now === undefined) return [[name, value]];
    const merged = mergeField(field, value, now, seen);
    return merged === undefined ? [] : [[name, merged]];
  });
  return Object.fromEntries(entries);
}

function mergeField(field: Field, declared: unknown, now: unknown, beside: Values): unknown {
  if (field.kind === "group") {
    if (!isObject(declared)) return declared;
    // Removing a group removes everything that was declared in it.
    return mergeFields(field.fields, declared, isObject(now) ? now : mapValues(declared, () => null));
  }
  if (field.resolvesTo !== undefined && typeof declared === "string" && typeof now === "string") {
    if (field.resolvesTo(declared, now, beside)) return declared;
  }
  // To a service, an empty map or list may be the same as none.
  if (now === null && isEqual(declared, Array.isArray(declared) ? [] : {})) return declared;
  return mergeData(declared, now);
}

/** The same for free-form data. Undefined if the service does not have the value. */
export function mergeData(declared: unknown, now: unknown): unknown {
  if (now === null || now === undefined) return declared === null ? null : undefined;
  if (isObject(declared) && isObject(now)) {
    const entries = Object.keys(declared)
      .map((key): [string, unknown] => [
        key,
        mergeData(declared[key], Object.hasOwn(now, key) ? now[key] : undefined),
      ])
      .filter(([, value]) => value !== undefined);
    return Object.fromEntries(entries);
  }
  if (Array.isArray(declared) && Array.isArray(now) && declared.length === now.length) {
    return declared.map((item, index) => mergeData(item, now[index]) ?? null);
  }
  return isEqual(declared, now) ? declared : now;
}

function mergeSecrets(declared: unknown, now: unknown): unknown {
  if (!isObject(declared) || !isObject(now)) return declared;
  const entries = Object.entries(declared)
    // A service may drop empty secrets. To the application, an empty value is the same as none.
    .filter(([name, value]) => Object.hasOwn(now, name) || value === "")
    .map(([name, value]): [string, unknown] => [name, isHidden(now[name]) ? value : now[name]]);
  return Object.fromEntries(entries);
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
  return isEmpty && latestRevisionId === null ? undefined : (secrets ?? undefined);
}

/** Whether the response hides the value of a declared secret. */
export function hidesSecrets(declared: Values, observed: Observed): boolean {
  const secrets = observedSecrets(observed) ?? {};
  return Object.keys(declared).some((name) => !Object.hasOwn(secrets, name) || isHidden(secrets[name]));
}

/** Restores the declared values for these differences. */
export function withoutDifferences(seen: Values, differences: readonly Difference[]): Values {
  return differences.reduce((all, { path, declared }) => withValueAt(all, path, declared), seen);
}
