/** Checking the arguments: every problem at once, values normalised, the generation computed. No request. */
import { contentKey } from "../internal-inputs";
import { Deployment as DeploymentShape } from "../../schema/deployment";
import { deployment as fields, type Fields } from "../../schema/fields";
import { problemsOf } from "../../schema/problems";
import { rulesOf } from "../../schema/rules";
import type { Dialect } from "../dialects";
import { findingsOf } from "../dialects/service-rules";
import { planChanges } from "./plan";
import type { SourceContent } from "./service";
import type { Planned } from "./state";
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

export interface CheckResult {
  readonly inputs: Planned;
  readonly failures: readonly Failure[];
  /** What makes no sense, although the service may take it. */
  readonly warnings: readonly Failure[];
  /** What the user may not expect of sound arguments. */
  readonly hints: readonly string[];
}

/**
 * @param old the result of the last check; undefined for a new deployment
 * @param given the arguments, some of them perhaps not known yet
 * @param content of the folder of source code, where one is declared
 */
export function check(
  old: Planned | undefined,
  given: Values,
  dialect: Dialect,
  content?: SourceContent | typeof unknownValue,
): CheckResult {
  const inputs = normalise(fields, given);
  const args = { ...inputs, ...(content !== undefined && { [contentKey]: content }) };
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
    inputs: { arguments: args, generation: generationOf(old, args, dialect) },
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
function generationOf(old: Planned | undefined, args: Values, dialect: Dialect): number {
  if (old === undefined) return 1;
  const before = typeof old.generation === "number" ? old.generation : 1;
  const { changes } = planChanges(old.arguments, args, dialect);
  return changes.some(({ kind }) => kind === "revision") ? before + 1 : before;
}

/** Whether the generation of checked inputs is what it will be, whatever the values come to that are not known yet. */
export function isGenerationCertain(old: Planned | undefined, args: Values, dialect: Dialect): boolean {
  if (old === undefined || !containsUnknown(args)) return true;
  const unchanged = assumedUnchanged(old.arguments, args) as Values;
  return generationOf(old, unchanged, dialect) === generationOf(old, args, dialect);
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
