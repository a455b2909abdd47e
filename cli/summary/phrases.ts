/** The phrases of a summary. */
import { nouns, type DeploymentChange } from "./deployment-change";
import { totalCount, type Summary } from "./summary";

/** What a headline counts. `totalText` must add up each of them. */
type Counted = Pick<Summary, "deployments" | "unchanged" | "changedByHand" | "unexplained" | "failures">;

/** "2 new revisions, 1 settings change, 1 replacement, 14 unchanged" */
export function headlineText(summary: Counted): string {
  const { deployments, unchanged, changedByHand, unexplained, failures } = summary;
  const byAction = Object.entries(nouns).flatMap(([action, [one, many]]) => {
    const found = deployments.filter((each) => each.action === action);
    const possible = found.filter(({ isPossible }) => isPossible).length;
    return [
      countText(found.length - possible, one, many),
      countText(possible, `possible ${one}`, `possible ${many}`),
    ];
  });
  const deleted = changedByHand.filter(({ isDeleted }) => isDeleted).length;
  const counts = [
    countText(changedByHand.length - deleted, "changed by hand"),
    countText(deleted, "deleted by hand"),
    ...byAction,
    countText(totalCount(unexplained), "unexplained change", "unexplained changes"),
    countText(unchanged, "unchanged"),
  ]
    .filter(Boolean)
    .join(", ");
  if (failures.length === 0) return counts || "no deployments";
  const errors = `the preview failed with ${countText(failures.length, "error", "errors")}`;
  return counts === "" ? errors : `${errors}: ${counts}`;
}

/** Empty for none. */
function countText(count: number, one: string, many = one): string {
  return count === 0 ? "" : `${count} ${count === 1 ? one : many}`;
}

/** "2 previews, 1 failed: 1 new revision, 14 unchanged" */
export function totalText(summaries: readonly Summary[]): string {
  const all: Counted = {
    deployments: summaries.flatMap(({ deployments }) => deployments),
    changedByHand: summaries.flatMap(({ changedByHand }) => changedByHand),
    failures: [],
    unchanged: summaries.reduce((sum, { unchanged }) => sum + unchanged, 0),
    unexplained: { all: summaries.reduce((sum, { unexplained }) => sum + totalCount(unexplained), 0) },
  };
  const failed = summaries.filter(({ failures }) => failures.length > 0).length;
  const previews = `${summaries.length} previews${failed > 0 ? `, ${failed} failed` : ""}`;
  return `${previews}: ${headlineText(all)}`;
}

export function actionText(deployment: DeploymentChange): string {
  const { action, isPossible, isRetained, isDownMeanwhile, operation, changes } = deployment;
  const isAdopted = changes.some(({ path, after }) => path === "adopt" && after === "true");
  if (action === "creation" && isAdopted) return "taken over, or created";
  const [one, , done = operation] = nouns[action];
  const text = isPossible ? `possible ${one}` : done;
  if (action === "replacement" && isRetained) return `${text}, the old one keeps running`;
  return isDownMeanwhile && !isPossible ? `${text}, is down while it is replaced` : text;
}

/** The counts of other resources, in Pulumi's own words; undefined if there are none. */
export function othersText({ others }: Summary): string | undefined {
  const counts = Object.entries(others).map(
    ([operation, count]) => `${count} ${operation === "same" ? "unchanged" : `to ${operation}`}`,
  );
  return counts.length === 0 ? undefined : `Other resources: ${counts.join(", ")}.`;
}
