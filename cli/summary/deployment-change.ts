/** Describes the planned change of a deployment, and its causes. */
import { keeperOfName, type Dialect } from "../../provider/dialects";
import type { Redact } from "../../provider/text/redact";
import { logicalName } from "../../provider/text/urn";
import { changesOf, readable, type ValueChange } from "./changes";
import type { Explanation } from "../../provider/deployment/explanation";
import { providerOf, type PreviewStep } from "./preview";
import { declaredInputs } from "./secret";

/** The most important first. */
export const actions = [
  "replacement",
  "deletion",
  "retention",
  "failing",
  "revision",
  "creation",
  "waiting",
  "settings",
  "other",
] as const;
export type Action = (typeof actions)[number];

export interface DeploymentChange {
  /** The logical name. */
  readonly name: string;
  readonly action: Action;
  /** Whether nothing happens if what is not known yet stays the same. */
  readonly isPossible: boolean;
  /** The address of the existing deployment's page in the service's dashboard. */
  readonly page: string | undefined;
  /** The engine's own name for it; `retain` for a deletion that keeps the deployment on the service. */
  readonly operation: string;
  /** The paths of the arguments that cause the replacement or the new revision. */
  readonly reasons: readonly string[];
  readonly changes: readonly ValueChange[];
  /** What to do before a deletion, and what stays after it. */
  readonly notes: readonly string[];
  /** Whether the old deployment is deleted before its replacement is created. */
  readonly isDownMeanwhile: boolean;
  /** Whether the old deployment stays on the service, although the stack no longer manages it. */
  readonly isRetained: boolean;
}

/** The step that stands for all of a resource. The engine can list a replacement as several; of any others, the last one counts. */
export function mainStep(steps: readonly PreviewStep[]): PreviewStep {
  const replacing = steps.find(({ op }) => op === "replace" || op === "create-replacement");
  const main = replacing ?? steps.findLast(({ op }) => op !== "same") ?? steps.at(-1)!;
  return { ...main, oldState: main.oldState ?? steps.find(({ oldState }) => oldState)?.oldState };
}

export function operationOf({ op }: PreviewStep): string {
  return /replace/.test(op) ? "replace" : op;
}

export function changeOf(
  steps: readonly PreviewStep[],
  explanation: Explanation | undefined,
  dialect: Dialect,
  redact: Redact,
): DeploymentChange {
  const step = mainStep(steps);
  const operation = operationOf(step);
  const name = logicalName(step.urn);
  const action = actionOf(operation, step, explanation);
  // The name is already in the row's first column.
  const isShown = ({ path, after }: ValueChange) =>
    action === "creation" && path === "name" && after === name;
  const { reasons = [], besides = [] } = explanation ?? {};
  const causes = [...reasons, ...besides];
  const differing = changesOf(step, causes).filter((change) => !isShown(change));
  // A folder's content is not an argument, so no value differs.
  const noted = causes
    .filter(({ path, note }) => note !== undefined && !differing.some((change) => change.path === path))
    .map(({ path, note }): ValueChange => ({ path, change: "changed", before: undefined, after: note }));
  const isGone = action === "deletion" || action === "retention";
  const changes = isGone ? [] : [...noted, ...differing];
  const isRetained = steps.some(({ op, oldState }) => isRemoval(op) && oldState?.retainOnDelete === true);
  return {
    name,
    action,
    isPossible: explanation?.kind === action && explanation.isPossible,
    page: pageOf(step),
    operation: action === "retention" ? "retain" : operation,
    reasons:
      action === "revision" || action === "settings"
        ? reasons.map(({ path }) => path)
        : (step.replaceReasons ?? []),
    changes: changes.map((change) => readable(change, redact, dialect)),
    notes: action === "deletion" ? [keepText, ...keptName(step, dialect)] : [],
    isDownMeanwhile: action === "replacement" && !isRetained && keepsName(step),
    isRetained,
  };
}

const keepText = "to keep it running, first set `retainOnDelete` and run `pulumi up`";

/** The engine does not ask the provider in the preview of a deletion. */
function keptName({ oldState }: PreviewStep, dialect: Dialect): string[] {
  const keeper = keeperOfName(declaredInputs(oldState), dialect);
  if (keeper === undefined) return [];
  return [`${keeper.what} stays and keeps the name; to delete it too, first set \`${keeper.freedBy}: true\``];
}

/** The engine may list the deletion within a replacement as a step of its own. */
function isRemoval(op: string): boolean {
  return op === "delete" || op === "delete-replaced" || op === "replace";
}

function pageOf({ oldState }: PreviewStep): string | undefined {
  const address = oldState?.outputs?.["dashboardUrl"];
  const isPlain = typeof address === "string" && /^https?:\/\/[\w./:-]+$/.test(address);
  return isPlain ? address : undefined;
}

/** Names are unique on the service. If the name stays, the old deployment must be deleted first. */
function keepsName({ oldState, newState }: PreviewStep): boolean {
  const isSameName = declaredInputs(oldState)["name"] === declaredInputs(newState)["name"];
  return isSameName && providerOf(oldState) === providerOf(newState);
}

function actionOf(operation: string, step: PreviewStep, explanation: Explanation | undefined): Action {
  if (operation === "replace") return "replacement";
  if (operation === "delete") return step.oldState?.retainOnDelete === true ? "retention" : "deletion";
  if (operation === "create") return "creation";
  if (operation !== "update") return "other";
  if (explanation !== undefined) return explanation.kind === "recording" ? "settings" : explanation.kind;
  const [before, after] = [step.oldState, step.newState].map((state) => declaredInputs(state)["generation"]);
  return before === after ? "settings" : "revision";
}
