/** Checking the arguments: every problem at once, values normalised, the generation computed. No request. */
import { contentKey } from "../internal-inputs";
import { logicalName } from "../urn";
import { Deployment as DeploymentShape } from "../../schema/deployment";
import { deployment as fields, type Fields } from "../../schema/fields";
import { problemsOf } from "../../schema/problems";
import { hasNameOf, rulesOf } from "../../schema/rules";
import type { Dialect } from "../dialects";
import { findingsOf } from "../dialects/service-rules";
import { planChanges } from "./plan";
import type { Content } from "./service";
import { argumentsIn } from "./state";
import {
  containsUnknown,
  isObject,
  mapLeaves,
  mapValues,
  unknownValue,
  type Values,
  formatPath,
  type Path,
} from "../../schema/tree";

export interface Failure {
  /** `sourceConfig.resourceSpec.cpu` */
  readonly property: string;
  readonly reason: string;
}

export interface Checked {
  readonly inputs: Values;
  readonly failures: readonly Failure[];
  /** What makes no sense, although the service may take it. */
  readonly warnings: readonly Failure[];
  /** What the user may not expect of sound arguments. */
  readonly hints: readonly string[];
}

/**
 * @param old the inputs that check made the last time; undefined for a new deployment
 * @param given the arguments, some of them perhaps not known yet
 * @param content of the folder of source code, where one is declared
 */
export function check(
  old: Values | undefined,
  given: Values,
  dialect: Dialect,
  content?: Content | typeof unknownValue,
): Checked {
  const inputs = normalise(fields, given);
  const found = { ...inputs, ...(content !== undefined && { [contentKey]: content }) };
  // What is imported was created elsewhere; what is to be adopted perhaps.
  const creates = old === undefined && (inputs["adopt"] === true ? "perhaps" : true);
  const known = mapLeaves(inputs, (leaf) => (leaf === unknownValue ? undefined : leaf)) as Values;
  const misfits = problemsOf(DeploymentShape, known).filter(({ path }) => !leadsToUnknown(inputs, path));
  const broken = [...misfits, ...rulesOf(known)].map(({ path, message }) => ({
    property: formatPath(path),
    reason: message,
  }));
  const findings = findingsOf(inputs, dialect, creates);
  const only = (warnings: boolean): Failure[] =>
    findings
      .filter(({ isWarning = false }) => isWarning === warnings)
      .map(({ property, reason }) => ({ property, reason }));
  return {
    inputs: { ...found, generation: generationOf(old, found, dialect) },
    failures: [...broken, ...only(false)],
    warnings: only(true),
    hints: movingTag(inputs),
  };
}

/** The same text makes no revision, whatever the tag has come to point at. */
function movingTag({ sourceRevisionConfig, triggers }: Values): string[] {
  const image = isObject(sourceRevisionConfig) ? sourceRevisionConfig["imageUri"] : undefined;
  if (typeof image !== "string" || triggers !== undefined) return [];
  const [last = ""] = image.split("/").slice(-1);
  if (last.includes("@") || (last.includes(":") && !last.endsWith(":latest"))) return [];
  return [
    "sourceRevisionConfig.imageUri names no fixed image: when the tag moves, that makes no revision. Pin the digest, or set `triggers`",
  ];
}

/** Counts the revisions that the program made: one at first, one more whenever an update is to make another. */
function generationOf(old: Values | undefined, inputs: Values, dialect: Dialect): number {
  if (old === undefined) return 1;
  const before = typeof old["generation"] === "number" ? old["generation"] : 1;
  const { changes } = planChanges(argumentsIn(old), inputs, dialect);
  return changes.some(({ kind }) => kind === "revision") ? before + 1 : before;
}

/** Whether the generation of checked inputs is what it will be, whatever the values come to that are not known yet. */
export function isGenerationCertain(old: Values | undefined, inputs: Values, dialect: Dialect): boolean {
  if (old === undefined || !containsUnknown(inputs)) return true;
  const unchanged = assumedUnchanged(old, inputs) as Values;
  return generationOf(old, unchanged, dialect) === generationOf(old, inputs, dialect);
}

/** What is not known yet taken to come to what it was. */
function assumedUnchanged(old: unknown, now: unknown): unknown {
  if (now === unknownValue) return old;
  if (!containsUnknown(now)) return now;
  const before = (old ?? {}) as Record<string | number, unknown>;
  if (Array.isArray(now)) return now.map((item, index) => assumedUnchanged(before[index], item));
  return mapValues(now as Values, (value, name) => assumedUnchanged(before[name], value));
}

/** `null` is taken as absent where the table knows the field; an empty map says the same as none. */
function normalise(table: Fields, values: Values): Values {
  const entries = Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
    if (value === null || value === undefined) return [];
    const field = table[name];
    if (field?.kind === "group" && isObject(value)) return [[name, normalise(field.fields, value)]];
    const isEmptyMap = field?.kind === "leaf" && field.list !== undefined && isObject(value);
    return isEmptyMap && Object.keys(value).length === 0 ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}

/** Whether the value at a path, or one that it is part of, is not known yet. */
function leadsToUnknown(value: unknown, path: Path): boolean {
  if (value === unknownValue) return true;
  const [first, ...rest] = path;
  if (first === undefined || typeof value !== "object" || value === null) return false;
  return leadsToUnknown((value as Record<string | number, unknown>)[first], rest);
}

/**
 * The names that the resources of one run declare. A service knows a deployment by its name: two resources of one name would
 * be one deployment, or one of them none.
 */
export class UniqueNames {
  readonly #resources = new Map<string, string>();

  /**
   * @param name undefined where it is not known yet
   * @param provider the connection: two services may both have the name
   * @param resource its URN, which ends with its name in the program
   */
  declare(name: unknown, provider: string, resource: string): Failure[] {
    if (typeof name !== "string") return [];
    const place = JSON.stringify([provider, name]);
    const other = this.#resources.get(place) ?? resource;
    this.#resources.set(place, other);
    if (other === resource) return [];
    return [{ property: "name", reason: hasNameOf(logicalName(resource), logicalName(other)) }];
  }
}
