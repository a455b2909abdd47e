/** Summarizes a preview: each deployment, and counts of other resources. */
import { readExplanation } from "../deployment/explanation";
import { deploymentTokens } from "../internal-inputs";
import { renameQuestion } from "../rename";
import type { EnvironmentVariables } from "../settings/table";
import { redactor } from "../text/redact";
import { mapLeaves, type Values } from "../../schema/tree";
import { firstOf } from "../text/first-of";
import { logicalName, typeIn } from "../urn";
import { declaredInputs, secretPathsOf } from "./changes";
import { alwaysRunsByDefault, dialectsIn, demandChangeOf, totalOf, type TotalDemand } from "./demand";
import { actions, changeOf, mainStep, operationOf, type DeploymentChange } from "./deployment-change";
import { diagnosticsOf, explanationOf, stackType, type Diagnostic } from "./diagnostics";
import { findDrift, isOnlyRefresh, type DriftedDeployment } from "./drift";
import type { Preview, PreviewStep } from "./preview";
import { totalCount } from "./phrases";
import { maskSecrets, secretMark } from "./secret";

export interface Summary {
  /** Undefined if the preview lists no resource. */
  readonly project: string | undefined;
  readonly stack: string | undefined;
  /** Whether it is a preview of a refresh alone. */
  readonly isRefresh: boolean;
  readonly deployments: readonly DeploymentChange[];
  readonly unchanged: number;
  /** What the listed deployments take to run together. */
  readonly total: TotalDemand | undefined;
  readonly changedByHand: readonly DriftedDeployment[];
  /** By operation: steps that the engine counts, but that the preview does not show. */
  readonly unexplained: Readonly<Record<string, number>>;
  /** The number of other resources by operation. */
  readonly others: Readonly<Record<string, number>>;
  /** Whether `unchanged` may include other resources. */
  readonly mixed: boolean;
  readonly failures: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}

/** @param env the environment, for what the stack's configuration does not set */
export function summaryOf(preview: Preview, env: EnvironmentVariables): Summary {
  const secrets = new Set<string>();
  const byUrn = new Map<string, PreviewStep[]>();
  for (const step of preview.steps ?? []) byUrn.set(step.urn, [...(byUrn.get(step.urn) ?? []), step]);
  const all = [...byUrn.values()];
  const isRefresh = isOnlyRefresh(all);
  // With `--refresh`, the engine lists a step for each refreshed resource before the planned steps.
  const planned = all.map((steps) => steps.filter(({ op }) => op !== "refresh"));
  const groups = isRefresh ? [] : planned.filter(({ length }) => length > 0);
  const credentials = new Set<string>();
  for (const step of preview.steps ?? []) collectSecrets(step, secrets, credentials);

  const redact = redactor([...secrets], [...credentials]);

  const isOurs = ([step]: PreviewStep[]) => deploymentTokens.includes(typeIn(step!.urn));
  const isSame = (steps: PreviewStep[]) => steps.every(({ op }) => op === "same");
  const ours = groups.filter(isOurs);
  const dialectOf = dialectsIn(preview, env);
  const main = ours.map(mainStep);
  const deployments = ours
    .filter((steps) => !isSame(steps))
    .map((steps) =>
      changeOf(steps, explanationOf(steps[0]!.urn, preview), dialectOf(mainStep(steps)), redact),
    )
    .sort((a, b) => actions.indexOf(a.action) - actions.indexOf(b.action) || compareTexts(a.name, b.name));

  const isOther = (steps: PreviewStep[]) => !isOurs(steps) && typeIn(steps[0]!.urn) !== stackType;
  const others = countsOf(planned.filter((steps) => steps.length > 0 && isOther(steps)).map(operationOf));
  // Without `--show-sames`, the engine only counts unchanged resources.
  const listed = groups.filter(isSame);
  const notListed = Math.max(0, (preview.changeSummary?.["same"] ?? 0) - listed.length);
  const messages = (severity: string) => diagnosticsOf(preview, severity, redact);
  const said = messages("warning");
  const failures = messages("error");
  const refreshed = all.filter(isOurs);
  const changedByHand = refreshed
    .flatMap((steps) => findDrift(steps, isRefresh, redact, dialectOf(mainStep(steps))))
    .sort((a, b) => compareTexts(a.name, b.name));
  const unexplained = unexplainedIn(preview, isRefresh, refreshed, changedByHand);
  const unchangedInRefresh = Math.max(0, refreshed.length - changedByHand.length - totalCount(unexplained));
  const unchanged = isRefresh ? unchangedInRefresh : ours.filter(isSame).length + notListed;
  return {
    ...projectAndStack(preview),
    isRefresh,
    deployments,
    unchanged,
    total: totalOf(main.map((step) => demandChangeOf(step, dialectOf(step)))),
    changedByHand,
    unexplained,
    others,
    mixed: !isRefresh && notListed > 0,
    failures,
    warnings: [
      ...said,
      ...failing(messages("info")),
      // The preview has asked already, unless it is of the packaged provider.
      ...renamesIn(ours).filter(({ message }) => !said.some((each) => each.message.includes(message))),
      ...unexplainedWarning(unexplained, isRefresh),
      ...alwaysRunning(main.filter((step) => alwaysRunsByDefault(step, dialectOf(step)))),
    ],
  };
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

function unexplainedWarning(counts: Readonly<Record<string, number>>, isRefresh: boolean): Diagnostic[] {
  const texts = Object.entries(counts).map(([operation, count]) => `${operation}: ${count}`);
  if (texts.length === 0) return [];
  const command = isRefresh ? "pulumi refresh --preview-only --diff" : "pulumi preview --diff";
  const message =
    `Pulumi counts changes that this preview does not show (${texts.join(", ")}). A deployment may have changed: run ` +
    `\`${command}\``;
  return [{ name: undefined, message }];
}

/** The preview says it of each deployment, in a line that is no warning. */
function alwaysRunning(steps: readonly PreviewStep[]): Diagnostic[] {
  if (steps.length === 0) return [];
  const names = steps.map(({ urn }) => logicalName(urn)).sort(compareTexts);
  const message =
    `always ${names.length === 1 ? "runs" : "run"}, because no sourceConfig.deploymentType is declared: ${firstOf(names)}. ` +
    "Write `serverless` for one that scales to zero";
  return [{ name: undefined, message }];
}

/** If one run deletes and creates a deployment of the same name or content, the logical name was probably changed. */
function renamesIn(ours: readonly PreviewStep[][]): Diagnostic[] {
  const having = (op: string, state: "oldState" | "newState") =>
    ours.flatMap((steps) =>
      steps
        .filter((step) => step.op === op)
        .map((step) => ({ logical: logicalName(step.urn), inputs: shownIn(declaredInputs(step[state])) })),
    );
  const deleted = having("delete", "oldState");
  return having("create", "newState").flatMap((created) => {
    const message = renameQuestion(deleted, created);
    return message === undefined ? [] : [{ name: created.logical, message }];
  });
}

/** Two secrets are not the same because both are hidden. */
function shownIn(inputs: Values): Values {
  return mapLeaves(inputs, (leaf) => (leaf === secretMark ? undefined : leaf)) as Values;
}

function countsOf(operations: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const operation of operations) counts[operation] = (counts[operation] ?? 0) + 1;
  return counts;
}

/** That an update fails for certain is said next to the resource, in a line that is no warning in a terminal. */
function failing(said: readonly Diagnostic[]): Diagnostic[] {
  return said.filter(({ message }) => readExplanation(message)?.kind === "failing");
}

/** The project and the stack are in every URN. */
function projectAndStack({ steps }: Preview): Pick<Summary, "project" | "stack"> {
  const [, stack, project] = /^urn:pulumi:(.+?)::(.+?)::/.exec(steps?.[0]?.urn ?? "") ?? [];
  return { project, stack };
}

function collectSecrets(
  { oldState, newState }: PreviewStep,
  secrets: Set<string>,
  credentials: Set<string>,
): void {
  for (const state of [oldState, newState])
    maskSecrets(declaredInputs(state), secretPathsOf(state), (secret, isCredential) => {
      secrets.add(secret);
      if (isCredential) credentials.add(secret);
    });
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
