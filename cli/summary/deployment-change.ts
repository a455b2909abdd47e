/** Describes the planned change of a deployment. */
import { keeperOfName, type Dialect } from "../../provider/dialects";
import type { Redact } from "../../provider/text/redact";
import { logicalName } from "../../provider/text/urn";
import { changesOf, readable, type ValueChange } from "./changes";
import { providerOf, type PreviewStep } from "./preview";
import { declaredInputs } from "./secret";

/**
 * In the order of the first line and of the rows: the words for one and for several, and for a row, where the engine's own name for
 * the operation is the default.
 */
export const nouns = {
  deletion: ["deletion", "deletions", "deleted"],
  replacement: ["replacement", "replacements", "replaced"],
  retention: ["no longer managed", "no longer managed", "no longer managed, keeps running"],
  revision: ["new revision", "new revisions", "new revision"],
  rollout: ["unfinished rollout", "unfinished rollouts", "unfinished rollout"],
  settings: ["settings change", "settings changes", "settings"],
  creation: ["creation", "creations", "created"],
  other: ["other change", "other changes"],
} satisfies Record<string, readonly [one: string, many: string, row?: string]>;
export type Action = keyof typeof nouns;

export type DeploymentChange = ReturnType<typeof changeOf>;

/** The step that stands for all of a resource. The engine can list a replacement as several; of any others, the last one counts. */
export function mainStep(steps: readonly PreviewStep[]): PreviewStep {
  const replacing = steps.find(isReplacement);
  const main = replacing ?? steps.findLast(({ op }) => op !== "same") ?? steps.at(-1)!;
  return { ...main, oldState: main.oldState ?? steps.find(({ oldState }) => oldState)?.oldState };
}

export function isReplacement({ op }: PreviewStep): boolean {
  return op === "replace" || op === "create-replacement";
}

export function operationOf(step: PreviewStep): string {
  if (isReplacement(step)) return "replace";
  return step.op === "delete-replaced" ? "delete" : step.op;
}

/**
 * @param words what the provider says next to the resource
 * @param changing the logical names of the resources that the preview changes, by URN
 */
export function changeOf(
  steps: readonly PreviewStep[],
  words: readonly string[],
  changing: ReadonlyMap<string, string>,
  dialect: Dialect,
  redact: Redact,
) {
  const step = mainStep(steps);
  const operation = operationOf(step);
  const name = logicalName(step.urn);
  const isGone = operation === "delete";
  const changes = isGone ? [] : changesOf(step, changing);
  const action = actionOf(operation, step, changes, words);
  // The name is already in the row's first column.
  const shown = changes.filter(
    ({ path, after }) => !(action === "creation" && path === "name" && after === name),
  );
  const isRetained = steps.some(({ op, oldState }) => isRemoval(op) && oldState?.retainOnDelete === true);
  const [before, after] = [step.oldState, step.newState].map((state) => declaredInputs(state)["name"]);
  const keepsProvider = providerOf(step.oldState) === providerOf(step.newState);
  const isOldCopy = step.op === "delete-replaced";
  return {
    name,
    action,
    // Whether all changes are of values that are not known yet and may stay the same.
    isPossible:
      action !== "creation" && changes.length > 0 && changes.every(({ follows }) => follows !== undefined),
    operation: action === "retention" ? "retain" : operation,
    // The paths of the arguments that cause a replacement.
    reasons: step.replaceReasons ?? [],
    changes: shown.map((change) => readable(change, redact, dialect)),
    words,
    // What to do before a deletion, and what stays after it.
    notes: [
      ...(isOldCopy ? ["only the copy that an earlier run has replaced and not deleted"] : []),
      ...(action === "deletion" && !isOldCopy ? [keepText, ...keptName(step, dialect)] : []),
    ],
    // Names are unique on the service. If the name stays, the old deployment must be deleted first.
    isDownMeanwhile: action === "replacement" && !isRetained && before === after && keepsProvider,
    // Whether the old deployment stays on the service, although the stack no longer manages it.
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

function actionOf(
  operation: string,
  step: PreviewStep,
  { length }: readonly ValueChange[],
  words: readonly string[],
): Action {
  if (operation === "replace") return "replacement";
  if (operation === "delete") return step.oldState?.retainOnDelete === true ? "retention" : "deletion";
  if (operation === "create") return "creation";
  if (operation !== "update") return "other";
  const [before, after] = [step.oldState, step.newState].map((state) => declaredInputs(state)["generation"]);
  const isCounted = before !== after;
  // A rollout that has not succeeded. A policy may also take back what changes, which says nothing.
  const isUnfinished = isCounted || (step.oldState?.initErrors ?? []).length > 0;
  if (length === 0) return isUnfinished && words.length > 0 ? "rollout" : "other";
  return isCounted ? "revision" : "settings";
}
