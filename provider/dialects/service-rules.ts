/** What the service of the dialect would refuse, or what makes no sense, found before anything is sent: by a preview, and in a file. */
import { isObject, unknownValue, valueAt, type Values, formatPath } from "../../schema/tree";
import type { Dialect } from "./dialect";

export interface Finding {
  /** `sourceConfig.resourceSpec` */
  readonly property: string;
  readonly reason: string;
  /**
   * - `field`: it may not be given at all;
   * - `value`: it may not be this one;
   * - `missing`: it must be given;
   * - `early`: it may be given only once the deployment exists.
   */
  readonly kind: "field" | "value" | "missing" | "early";
  /** The service may take it: a warning. */
  readonly isWarning?: true;
  /** A deployment that exists already may be so. */
  readonly onCreateOnly?: true;
}

/**
 * @param given the arguments, some of them perhaps not known yet
 * @param creates whether a deployment is to be created from them; perhaps, if there is none to adopt
 * @param declared the same, with a value for each argument that is there for certain although its value is not known yet
 */
export function findingsOf(
  given: Values,
  dialect: Dialect,
  creates: boolean | "perhaps",
  declared = given,
): Finding[] {
  return [
    ...foreignFields(declared, dialect),
    ...(creates === true ? findingsOnCreate(given, dialect) : []),
    ...(creates === "perhaps" ? onlyAdopted(badName(given, dialect)) : []),
    ...conflicts(given, dialect),
    ...reservedSecrets(given, dialect),
  ];
}

function onlyAdopted(findings: readonly Finding[]): Finding[] {
  return findings.map((finding) => ({
    ...finding,
    reason: `${finding.reason}; only a deployment that exists already can be adopted with it`,
    isWarning: true,
  }));
}

/** What stands in the way of a new deployment where there was none to adopt. */
export function refusedOnCreate(given: Values, dialect: Dialect): Finding[] {
  return findingsOnCreate(given, dialect).filter(({ isWarning }) => !isWarning);
}

function findingsOnCreate(given: Values, dialect: Dialect): Finding[] {
  return [...missingFields(given, dialect), ...earlyFields(given, dialect), ...badName(given, dialect)];
}

function foreignFields(given: Values, { sourcesOf, refusesWrongFields }: Dialect): Finding[] {
  const { source, revisionSource } = given;
  if (typeof source !== "string") return [];
  return Object.entries(sourcesOf)
    .filter(([path, sources]) => {
      // A revision from another source has that one's fields.
      const ofRevision = path.startsWith("sourceRevisionConfig.") ? revisionSource : undefined;
      if (ofRevision === unknownValue || sources.includes(String(ofRevision))) return false;
      return isKnown(given, path) && !sources.includes(source);
    })
    .map(([path, sources]) => ({
      property: path,
      reason: `is not for source ${source}, only for ${sources.join(", ")}`,
      kind: "field",
      ...(!refusesWrongFields && { isWarning: true }),
    }));
}

function missingFields(given: Values, dialect: Dialect): Finding[] {
  const { required, foundBy, refusesWrongFields, name } = dialect;
  const source = given["source"];
  return ofSource(required, source)
    .filter((path) => !isKnown(given, path) && !mayBe(given, path))
    .map((path) => ({
      property: path,
      reason: refusesWrongFields
        ? `is required for source ${source} (dialect ${name})${howToFind(foundBy[path])}`
        : `is missing: a deployment of source ${source} has nothing to run without it`,
      kind: "missing",
      onCreateOnly: true,
      ...(!refusesWrongFields && { isWarning: true }),
    }));
}

function howToFind(command: string | undefined): string {
  return command === undefined ? "" : `: \`${command}\` lists what there is`;
}

function earlyFields(given: Values, { notOnCreate }: Dialect): Finding[] {
  return ofSource(notOnCreate, given["source"])
    .filter((path) => isKnown(given, path))
    .map((path) => ({
      property: path,
      reason: "cannot be given before the deployment exists: create it without, then add it",
      kind: "early",
      onCreateOnly: true,
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
      reason: `${rule!.reason}; the logical name is taken where \`name\` is not given`,
      kind: "value",
      onCreateOnly: true,
    }));
}

function conflicts(given: Values, dialect: Dialect): Finding[] {
  const fits = ([path, pattern]: [string, string]) => {
    const value = valueAt(given, path.split("."));
    return value !== unknownValue && new RegExp(pattern).test(String(value ?? ""));
  };
  return dialect.conflicts
    .filter(({ when }) => Object.entries(when).every(fits))
    .map(({ property, reason, isWarning }) => ({
      property,
      reason,
      kind: "value",
      ...(isWarning && { isWarning }),
    }));
}

function reservedSecrets(given: Values, { reservedSecrets: reserved }: Dialect): Finding[] {
  return ["secrets", "secretReferences"].flatMap((property) => {
    const names = Object.keys(isObject(given[property]) ? given[property] : {});
    return names
      .filter((name) => reserved?.names.includes(name))
      .map((name) => ({
        property: formatPath([property, name]),
        reason: "is a reserved name: the platform sets it itself",
        kind: "field",
      }));
  });
}

function isKnown(given: Values, path: string): boolean {
  const value = valueAt(given, path.split("."));
  return value !== undefined && value !== unknownValue;
}

/** Whether the value, or a group that it is in, is not known yet. */
function mayBe(given: Values, path: string): boolean {
  const parts = path.split(".");
  return parts.some((_, index) => valueAt(given, parts.slice(0, index + 1)) === unknownValue);
}
