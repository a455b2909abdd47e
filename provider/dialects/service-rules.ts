/** Finds what the service would refuse, and what makes no sense, before anything is sent. */
import { asObject, isBelowUnknown, unknownValue, valueAt, type Values, formatPath } from "../../schema/tree";
import { didYouMeanText } from "../../schema/wording";
import type { Dialect } from "./dialect";

export interface Finding {
  /** `sourceConfig.resourceSpec` */
  readonly property: string;
  /** The value, if it helps to see it: `"Chat" (4 characters)`. */
  readonly shown?: string;
  readonly reason: string;
  /**
   * - `field`: the property is not allowed;
   * - `value`: the value is not allowed;
   * - `missing`: the property is required;
   * - `early`: the property is not allowed before the deployment exists.
   */
  readonly kind: "field" | "value" | "missing" | "early";
  /** Only a warning: the service may accept it. */
  readonly isWarning?: boolean | undefined;
  /** Does not apply to existing deployments. */
  readonly isOnlyForCreation?: true;
  /** Asks for the known value that an unknown one resembles; empty if it resembles none. */
  readonly didYouMean?: string;
}

export function reasonText({ shown, reason, isWarning, didYouMean }: Finding): string {
  const sent = isWarning && didYouMean !== undefined ? ": it is sent unchanged" : "";
  return `${shown === undefined ? "" : `${shown} `}${reason}${sent}${didYouMean ?? ""}`;
}

/**
 * @param given the arguments, some of which may be unknown
 * @param creates whether these arguments certainly create a deployment, because none is adopted
 * @param declared the same, with a placeholder for each argument that is certain to be set although its value is unknown
 */
export function findingsOf(given: Values, dialect: Dialect, creates: boolean, declared = given): Finding[] {
  return [
    ...foreignFields(declared, dialect),
    ...(creates ? findingsOnCreate(given, dialect) : []),
    ...conflicts(given, dialect, creates),
    ...reservedSecrets(given, dialect),
  ];
}

/** What the program no longer declares, although the deployment needs it to run. What a service keeps is told with the plan. */
export function takenAway(old: Values, given: Values, dialect: Dialect): Finding[] {
  const { revisionSource, source } = given;
  return missingFields({ ...given, source: revisionSource ?? source }, dialect).filter(
    ({ property, isWarning }) => isWarning && isKnown(old, property),
  );
}

/** What prevents creating a deployment when there is none to adopt. */
export function refusedOnCreate(given: Values, dialect: Dialect): Finding[] {
  return findingsOnCreate(given, dialect).filter(({ isWarning }) => !isWarning);
}

function findingsOnCreate(given: Values, dialect: Dialect): Finding[] {
  return [...missingFields(given, dialect), ...earlyFields(given, dialect), ...badName(given, dialect)].map(
    (finding) => ({ ...finding, isOnlyForCreation: true }),
  );
}

function foreignFields(given: Values, { sourcesOf, refusesWrongFields, instead = {} }: Dialect): Finding[] {
  const { source, revisionSource } = given;
  if (typeof source !== "string") return [];
  return Object.entries(sourcesOf)
    .filter(([path, sources]) => {
      // A revision from another source uses that source's fields.
      const ofRevision = path.startsWith("sourceRevisionConfig.") ? revisionSource : undefined;
      if (ofRevision === unknownValue || sources.includes(String(ofRevision))) return false;
      return isKnown(given, path) && !sources.includes(source);
    })
    .map(([path, sources]) => ({
      property: path,
      reason: `is not for source ${source}, only for ${sources.join(", ")}${instead[path] ? `: ${instead[path]}` : ""}`,
      kind: "field",
      isWarning: !refusesWrongFields,
    }));
}

function missingFields(given: Values, dialect: Dialect): Finding[] {
  const { required, foundBy, refusesWrongFields, name } = dialect;
  const source = given["source"];
  return ofSource(required, source)
    .filter((path) => !isKnown(given, path) && !isBelowUnknown(given, path.split(".")))
    .map((path) => ({
      property: path,
      reason: refusesWrongFields
        ? `is required for source ${source} (dialect ${name})${foundBy[path] ? `: \`${foundBy[path]}\` lists possible values` : ""}`
        : `is missing: without it, a deployment of source ${source} has nothing to run`,
      kind: "missing",
      isWarning: !refusesWrongFields,
    }));
}

function earlyFields(given: Values, { refusedOnFirstUp }: Dialect): Finding[] {
  return ofSource(refusedOnFirstUp, given["source"])
    .filter((path) => isKnown(given, path))
    .map((path) => ({
      property: path,
      reason: "cannot be set before the deployment exists: create the deployment without it, then add it",
      kind: "early",
    }));
}

function ofSource(rules: Readonly<Record<string, readonly string[]>>, source: unknown): readonly string[] {
  return typeof source === "string" && Object.hasOwn(rules, source) ? rules[source]! : [];
}

function badName({ name, source }: Values, { names, namesOf }: Dialect): Finding[] {
  if (typeof name !== "string") return [];
  return [names, typeof source === "string" ? namesOf[source] : undefined]
    .filter((rule) => rule !== undefined && !new RegExp(rule.pattern).test(name))
    .map((rule) => ({
      property: "name",
      shown: `${quoted(name)} (${name.length} character${name.length === 1 ? "" : "s"})`,
      reason: `${rule!.reason}; the logical name is used if \`name\` is not set`,
      kind: "value",
    }));
}

const longestQuote = 100;

function quoted(value: unknown): string {
  const text = String(value);
  return JSON.stringify(text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text);
}

function conflicts(given: Values, dialect: Dialect, creates: boolean): Finding[] {
  const fits = ([at, pattern]: [string, string]) => {
    const path = at.split(".");
    return !isBelowUnknown(given, path) && new RegExp(pattern).test(String(valueAt(given, path) ?? ""));
  };
  return dialect.conflicts
    .filter(({ isOnlyForCreation }) => creates || !isOnlyForCreation)
    .filter(({ when }) => Object.entries(when).every(fits))
    .map(({ property, reason, showsValue, known, isWarning, isOnlyForCreation }) => {
      const value = valueAt(given, property.split("."));
      return {
        property,
        ...(showsValue && { shown: quoted(value) }),
        reason,
        kind: "value",
        isWarning,
        ...(known && { didYouMean: didYouMeanText(String(value), known) }),
        ...(isOnlyForCreation && { isOnlyForCreation }),
      };
    });
}

function reservedSecrets(given: Values, { reservedSecrets }: Dialect): Finding[] {
  const reason = "is a reserved name: the platform sets it itself";
  return ["secrets", "secretReferences"].flatMap((property) =>
    Object.keys(asObject(given[property]))
      .filter((name) => reservedSecrets.includes(name))
      .map((name) => ({ property: formatPath([property, name]), reason, kind: "field" })),
  );
}

/** What becomes of a new deployment because it declares no type. */
export function typeNotDeclared(given: Values, { withoutType, sourcesOf }: Dialect): string[] {
  const property = "sourceConfig.deploymentType";
  const path = property.split(".");
  const isOpen = valueAt(given, path) === undefined && !isBelowUnknown(given, path);
  const hasTypes = sourcesOf[property]?.includes(String(given["source"])) !== false;
  return withoutType !== undefined && isOpen && hasTypes ? [withoutType] : [];
}

function isKnown(given: Values, path: string): boolean {
  const value = valueAt(given, path.split("."));
  return value !== undefined && value !== unknownValue;
}
