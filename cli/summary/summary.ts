/** Summarizes a preview: each deployment, and counts of other resources. */
import { deploymentTokens } from "../../provider/stored/internal-inputs";
import type { EnvironmentVariables } from "../../provider/settings/table";
import { logicalName, typeIn } from "../../provider/text/urn";
import { dialectsIn } from "./preview-dialect";
import {
  changeOf,
  isReplacement,
  mainStep,
  nouns,
  operationOf,
  type DeploymentChange,
} from "./deployment-change";
import { diagnosticsOf, stackType, wordsOf, type Diagnostic } from "./diagnostics";
import { findDrift, isOnlyRefresh, type DriftedDeployment } from "./drift";
import type { Preview, PreviewStep } from "./preview";
import { renamesIn } from "./rename";
import { redactorOf } from "./secret";

export type Summary = ReturnType<typeof summaryOf>;

export function totalCount(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/**
 * @param env the environment, for what the stack's configuration does not set
 * @param expectsNoDrift whether the summary must show all drift that there may be
 */
export function summaryOf(preview: Preview, env: EnvironmentVariables, expectsNoDrift = false) {
  const steps = preview.steps ?? [];
  const all = byResource(steps);
  const isRefresh = isOnlyRefresh(all);
  const redact = redactorOf(steps);
  const dialectOf = dialectsIn(preview, env);

  // With `--refresh`, the engine lists a step for each refreshed resource before the planned steps.
  const planned = all.map((each) => each.filter(isPlan)).filter((each) => each.length > 0);
  const ours = isRefresh ? [] : planned.filter(isDeployment);
  const others = planned
    .map(mainStep)
    .filter((step) => !isDeployment([step]) && typeIn(step.urn) !== stackType);
  const changing = new Map(
    planned.filter((each) => !isSame(each)).map(([step]) => [step!.urn, logicalName(step!.urn)]),
  );
  const described = ours
    .filter((each) => !isSame(each))
    .flatMap(withoutOldCopy)
    .map((each) => changeOf(each, wordsOf(each[0]!.urn, preview, redact), changing, dialectOf(each), redact));
  const deployments = described.filter(isChange).sort((a, b) => rankOf(a) - rankOf(b));

  // Without `--show-sames`, the engine only counts unchanged resources.
  const same = preview.changeSummary?.["same"] ?? 0;
  const notListed = isRefresh ? 0 : Math.max(0, same - planned.filter(isSame).length);
  const failures = diagnosticsOf(preview, "error", redact);

  // What is refreshed is also planned, or counted, unless it was deleted by hand and the program no longer has it.
  const refreshed = all.filter(isDeployment);
  const unplanned = all.length - planned.length;
  const gone = isRefresh || failures.length > 0 ? 0 : Math.max(0, unplanned - notListed);
  const compared =
    isRefresh || gone === unplanned ? refreshed : refreshed.filter((each) => each.some(isPlan));
  const changedByHand = compared.flatMap((each) => findDrift(each, isRefresh, redact, dialectOf(each)));
  const unexplained: Record<string, number> = expectsNoDrift
    ? {
        ...unexplainedIn(preview, isRefresh, refreshed, changedByHand),
        ...(gone > 0 && compared.length < refreshed.length && { delete: gone }),
      }
    : {};
  // After a failure, it is not known which were read.
  const unchangedInRefresh =
    failures.length > 0 ? 0 : Math.max(0, refreshed.length - changedByHand.length - totalCount(unexplained));
  const unchanged = ours.filter(isSame).length + (described.length - deployments.length) + notListed;
  const [, stack, project] = /^urn:pulumi:(.+?)::(.+?)::/.exec(steps[0]?.urn ?? "") ?? [];
  // Whether the service was read, so that drift would show.
  const isRefreshed = steps.length === 0 ? same === 0 : steps.some((step) => !isPlan(step));

  return {
    // Undefined if the preview lists no resource.
    project,
    stack,
    isRefresh,
    isRefreshed,
    deployments,
    unchanged: isRefresh ? unchangedInRefresh : unchanged,
    changedByHand,
    // By operation: what the engine counts, but the preview does not show; and the other resources.
    unexplained,
    others: countsOf(others.map(operationOf)),
    failures,
    warnings: [
      ...diagnosticsOf(preview, "warning", redact),
      ...renamesIn(ours.flat()),
      ...unexplainedWarning(unexplained, isRefresh || gone > 0),
      ...(expectsNoDrift && !isRefreshed ? [notRefreshed] : []),
    ],
  };
}

const notRefreshed: Diagnostic = {
  name: undefined,
  message:
    "This preview did not read the service, so it cannot show drift: write it with `pulumi refresh --preview-only --json` or " +
    "`pulumi preview --refresh --json`",
};

/** What an earlier run replaced and could not delete is deleted beside whatever else happens. */
function withoutOldCopy(steps: readonly PreviewStep[]): (readonly PreviewStep[])[] {
  if (steps.some(isReplacement)) return [steps];
  const [old, rest] = [steps.filter(isOldCopy), steps.filter((step) => !isOldCopy(step))];
  return [old, rest].filter((each) => each.length > 0 && !isSame(each));
}

function isOldCopy({ op }: PreviewStep): boolean {
  return op === "delete-replaced";
}

/** Not if all that differs is internal, the path of the same content, or a number that a policy's change left behind. */
function isChange({ action, operation, words }: DeploymentChange): boolean {
  return action !== "other" || operation !== "update" || words.length > 0;
}

/** The steps of each resource, by logical name. What is renamed with an alias is refreshed under its old name. */
function byResource(steps: readonly PreviewStep[]): PreviewStep[][] {
  const renamed = new Map(steps.map(({ urn, oldState }) => [oldState?.urn, urn]));
  const groups = new Map<string, PreviewStep[]>();
  for (const step of steps) {
    const urn = (step.op === "refresh" && renamed.get(step.urn)) || step.urn;
    groups.set(urn, [...(groups.get(urn) ?? []), step]);
  }
  const ordered = [...groups].sort(([a], [b]) => (logicalName(a) < logicalName(b) ? -1 : 1));
  return ordered.map(([, group]) => group);
}

function isDeployment([step]: readonly PreviewStep[]): boolean {
  return deploymentTokens.includes(typeIn(step!.urn));
}

/** The most important first, and what may not happen after what will. */
function rankOf({ action, isPossible }: DeploymentChange): number {
  return Object.keys(nouns).indexOf(action) + (isPossible ? 0.5 : 0);
}

function isPlan({ op }: PreviewStep): boolean {
  return op !== "refresh";
}

function isSame(steps: readonly PreviewStep[]): boolean {
  return steps.every(({ op }) => op === "same");
}

/**
 * The engine's own count knows more than its list: a refresh lists a change only if the provider names what changed. The count does
 * not say of which resource it is, so it may be a deployment's unless all deployments are explained.
 */
function unexplainedIn(
  { steps, changeSummary }: Preview,
  isRefresh: boolean,
  ours: readonly PreviewStep[][],
  found: readonly DriftedDeployment[],
): Record<string, number> {
  const listed = countsOf((steps ?? []).map(({ op }) => op));
  const isSilent = ([step]: readonly PreviewStep[]) => step!.op === "refresh";
  const isExplained = isRefresh && !ours.some(isSilent);
  // A deployment whose listed change shows no difference.
  const empty = isRefresh ? ours.filter((each) => !isSilent(each)).length - found.length : 0;
  const counts = Object.entries(changeSummary ?? {}).map(([operation, count]): [string, number] => {
    const missing = operation === "same" || isExplained ? 0 : count - (listed[operation] ?? 0);
    return [operation, Math.max(0, missing) + (operation === "update" ? empty : 0)];
  });
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

function unexplainedWarning(counts: Readonly<Record<string, number>>, isOnService: boolean): Diagnostic[] {
  const texts = Object.entries(counts).map(([operation, count]) => `${operation}: ${count}`);
  if (texts.length === 0) return [];
  const command = isOnService ? "pulumi refresh --preview-only --diff" : "pulumi preview --diff";
  const message =
    `Pulumi found changes that this preview does not show (${texts.join(", ")}). A deployment may have changed: run ` +
    `\`${command}\``;
  return [{ name: undefined, message }];
}

function countsOf(operations: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const operation of operations) counts[operation] = (counts[operation] ?? 0) + 1;
  return counts;
}
