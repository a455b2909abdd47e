/** What the deployments of a preview take to run, before and after. */
import { demandOf, demandText, sizeText, sumOfDemands, type Demand } from "../../provider/deployment/demand";
import type { Dialect } from "../../provider/dialects";
import type { PreviewStep } from "./preview";
import { shownInputs } from "./secret";

/** What one deployment takes to run. Undefined on the side on which the stack does not have it. */
export interface DemandChange {
  readonly before: Demand | undefined;
  readonly after: Demand | undefined;
  /** `takes 2 to 6 vCPU, 4 to 12 GiB; was 1 to 3, 2 to 6`; undefined if nothing is known, or nothing changes. */
  readonly text: string | undefined;
}

export function demandChangeOf({ op, oldState, newState }: PreviewStep, dialect: Dialect): DemandChange {
  const isNew = /create|replace/.test(op);
  // Marks of secrets count as not known.
  const before = oldState && demandOf(shownInputs(oldState), dialect, false);
  const remains = oldState?.retainOnDelete === true ? before : undefined;
  const after = op === "delete" ? remains : newState && demandOf(shownInputs(newState), dialect, isNew);
  const now = after && demandText(after, before);
  return { before, after, text: isNew || (before && now !== demandText(before)) ? now : undefined };
}

/** What all deployments that a preview lists take to run; undefined if nothing is known of them. */
export interface TotalDemand {
  readonly before: Pick<Demand, "cpu" | "memory">;
  readonly after: Pick<Demand, "cpu" | "memory">;
  /** Undefined if nothing changes. */
  readonly text: string | undefined;
}

export function totalOf(all: readonly DemandChange[]): TotalDemand | undefined {
  const olds = all.flatMap(({ before }) => before ?? []);
  const news = all.flatMap(({ after }) => after ?? []);
  const before = sumOfDemands(olds.filter(isSized));
  const after = sumOfDemands(news.filter(isSized));
  const [former, size] = [sizeText(before), sizeText(after, before)];
  const sized = news.filter(isSized).length;
  const those =
    sized === news.length ? "" : ` (${sized} of ${news.length} declare${sized === 1 ? "s" : ""} a size)`;
  const [ran, runs] = [scalingText(olds), scalingText(news)];
  if (!size && !former && !runs && !ran) return undefined;
  const lines: string[] = [];
  if (sizeText(after) !== former)
    lines.push(`Total of the deployments listed here: ${size ?? `nothing; was ${former}`}${those}.`);
  if (runs !== ran)
    lines.push(`Of the deployments listed here, ${runs || "none runs"}${ran && `; before, ${ran}`}.`);
  return { before, after, text: lines.length === 0 ? undefined : lines.join(" ") };
}

/** `always running: 2, scaling to zero: 1` */
function scalingText(demands: readonly Demand[]): string {
  return (["always", "to zero"] as const)
    .map((scaling) => [scaling, demands.filter((each) => each.scaling === scaling).length] as const)
    .filter(([, count]) => count > 0)
    .map(([scaling, count]) => `${scaling === "always" ? "always running" : "scaling to zero"}: ${count}`)
    .join(", ");
}

function isSized({ cpu, memory }: Demand): boolean {
  return [cpu, memory].some(({ least, most }) => least !== undefined || most !== undefined);
}
