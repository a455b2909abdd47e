/** Checks the arguments: reports all problems together, normalizes values, and computes the generation. Sends nothing. */
import { Deployment as DeploymentShape } from "../../schema/deployment";
import { deployment as fields, type Fields, isMap } from "../../schema/fields";
import { movingTag } from "../../schema/images";
import type { Problem } from "../../schema/problem";
import { problemsOf } from "../../schema/problems";
import { doubtsOf, rulesOf } from "../../schema/rules";
import type { Dialect } from "../dialects";
import { type Finding, findingsOf, reasonText, takenAway, typeNotDeclared } from "../dialects/service-rules";
import { serviceWord, withWords } from "../dialects/words";
import { plan } from "./plan";
import { type SourceContent, contentKey } from "./service";
import type { Planned, State } from "./state";
import {
  formatPath,
  isEqual,
  isObject,
  mapLeaves,
  unknownValue,
  valueAt,
  type Values,
} from "../../schema/tree";

export interface Failure {
  /** `sourceConfig.resourceSpec.cpu` */
  readonly property: string;
  readonly reason: string;
}

export interface CheckResult {
  readonly inputs: Planned;
  /** Whether the generation is final, whatever the unknown values turn out to be. */
  readonly isCertain: boolean;
  readonly failures: readonly Failure[];
  /** Arguments that make no sense, although the service may accept them. */
  readonly warnings: readonly Failure[];
  /** Surprising effects of valid arguments. */
  readonly hints: readonly string[];
}

/**
 * @param old the result of the last check; undefined for a new deployment
 * @param given the arguments, some of which may be unknown
 * @param content of the source folder, if one is declared
 */
export function check(
  old: Planned | undefined,
  given: Values,
  dialect: Dialect,
  content?: SourceContent | typeof unknownValue,
): CheckResult {
  const inputs = withWords(normalise(fields, given), serviceWord, dialect);
  const args = { ...inputs, ...(content !== undefined && { [contentKey]: content }) };
  // Imports have old inputs. With `adopt`, there may be an existing deployment.
  const adopts = old === undefined && inputs["adopt"] === true;
  const creates = old === undefined && !adopts;
  const certain = mapLeaves(inputs, (leaf) => (leaf === unknownValue ? undefined : leaf)) as Values;
  const misfits = problemsOf(DeploymentShape, inputs);
  const rules = rulesOf(certain);
  // One reason is enough.
  const others = misfits.filter(({ path }) => !rules.some((rule) => isEqual(rule.path, path)));
  const broken = [...others, ...rules].map(failureOf);
  const isBroken = (property: string) => broken.some((failure) => failure.property === property);
  const { generation, isCertain, isChanged, isReplacement } = comparedWith(old, args, dialect);
  // One reason is enough, and the message of another could quote the value. What a source accepts depends on a valid one.
  const findings = isBroken("source")
    ? []
    : [...findingsOf(inputs, dialect, creates), ...(old ? takenAway(old.arguments, inputs, dialect) : [])]
        .filter(({ property }) => !isBroken(property))
        .map((finding) => (isReplacement ? withSlipRefused(finding, old!.arguments, inputs) : finding));
  const only = (warnings: boolean): Failure[] =>
    findings
      .filter(({ isWarning = false }) => isWarning === warnings)
      .map((finding) => ({ property: finding.property, reason: reasonText(finding) }));
  return {
    inputs: { arguments: args, generation },
    isCertain,
    failures: [...broken, ...only(false)],
    warnings: [...only(true), ...doubtsOf({ ...certain, secrets: given["secrets"] }).map(failureOf)],
    hints: [
      ...(adopts ? ["takes over the deployment that has this name, or creates one (`adopt`)"] : []),
      ...(creates && broken.length === 0 ? typeNotDeclared(inputs, dialect) : []),
      ...(isChanged ? movingTag(inputs).map(({ path, message }) => `${formatPath(path)} ${message}`) : []),
    ],
  };
}

function failureOf({ path, message }: Problem): Failure {
  return { property: formatPath(path), reason: message };
}

/** A replacement under the same name deletes the deployment before the service refuses a misspelled value. */
function withSlipRefused(finding: Finding, old: Values, given: Values): Finding {
  const path = finding.property.split(".");
  const isChanged = !isEqual(valueAt(old, path), valueAt(given, path));
  if (!finding.didYouMean || !isChanged || old["name"] !== given["name"]) return finding;
  const advice =
    " This change would delete the running deployment first. If the value is right, destroy the deployment, then create it again";
  return { ...finding, didYouMean: `${finding.didYouMean}${advice}`, isWarning: false };
}

/** Compares with the last inputs. The generation counts the revisions that the program makes, and starts at 1. */
function comparedWith(
  old: (Planned & Partial<Pick<State, "private">>) | undefined,
  args: Values,
  dialect: Dialect,
) {
  if (old === undefined) return { generation: 1, isCertain: true, isChanged: true, isReplacement: false };
  const before = typeof old.generation === "number" ? old.generation : 1;
  const { changes, effect } = plan(old, { arguments: args }, dialect);
  const isResumed = old.hasUnfinishedRollout === true && args["skipAwait"] !== true;
  const revisions = changes.filter((each) => each.effect === "revision");
  const isCounted = isResumed || revisions.length > 0;
  return {
    generation: isCounted ? before + 1 : before,
    isCertain: isResumed || !isCounted || revisions.some(({ isUnknown }) => !isUnknown),
    isChanged: changes.length > 0,
    isReplacement: effect === "replacement",
  };
}

/** Counted again, since a policy may change arguments after the check, which does not know what the service has already. */
export function recounted<T extends Planned>(
  declared: T,
  { arguments: old, generation, private: remembered }: State,
  dialect: Dialect,
): T {
  const isSettled = declared.generation === generation || remembered.rollout?.isUncounted === true;
  if (isSettled || typeof declared.generation !== "number") return declared;
  const before = { arguments: old, generation, private: remembered };
  const { generation: counted } = comparedWith(before, declared.arguments, dialect);
  return counted < declared.generation ? { ...declared, generation: counted } : declared;
}

/** Removes `null` from known fields and maps, and secrets and references without any, since all mean the same as a missing value. */
function normalise(table: Fields, values: Values): Values {
  const entries = Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
    if (value === null || value === undefined) return [];
    const field = table[name];
    if (field?.kind === "group" && isObject(value)) return [[name, normalise(field.fields, value)]];
    if (field === undefined || !isMap(field) || !isObject(value)) return [[name, value]];
    const members = Object.entries(value).filter(([, each]) => each !== null && each !== undefined);
    return members.length === 0 && field.list !== undefined ? [] : [[name, Object.fromEntries(members)]];
  });
  return Object.fromEntries(entries);
}
