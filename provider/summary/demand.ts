/** What the deployments of a preview take to run, before and after. */
import { demandOf, demandText, sizeText, sumOfDemands, type Demand } from "../deployment/demand";
import { dialects, type Dialect } from "../dialects";
import { valueAt } from "../../schema/tree";
import { declaredInputs, secretPathsOf } from "./changes";
import type { Preview, PreviewStep, ResourceState } from "./preview";
import { maskSecrets } from "./secret";

/** Of one deployment. Undefined on the side on which the stack does not have it. */
export interface DemandChange {
  readonly before: Demand | undefined;
  readonly after: Demand | undefined;
  /** `takes 2 to 6 vCPU, 4 to 12 GiB; was 1 to 3, 2 to 6`; undefined if nothing is known, or nothing changes. */
  readonly text: string | undefined;
}

export function demandChangeOf({ op, oldState, newState }: PreviewStep, dialect: Dialect): DemandChange {
  const isNew = /create|replace/.test(op);
  const before = oldState && demandIn(oldState, dialect, false);
  const after = op === "delete" ? undefined : newState && demandIn(newState, dialect, isNew);
  const now = after && demandText(after, before);
  const isChange = isNew || (before !== undefined && now !== demandText(before));
  return { before, after, text: isChange ? now : undefined };
}

/** Secrets are masked, so that they count as not known. */
function demandIn(state: ResourceState, dialect: Dialect, isNew: boolean): Demand {
  return demandOf(maskSecrets(declaredInputs(state), secretPathsOf(state)), dialect, isNew);
}

/**
 * The dialect of the deployments of a preview. Only a state tells it; for a stack that is created, the lines beside its resources
 * do.
 */
export function dialectOf({ steps, diagnostics }: Preview): Dialect {
  const named = (steps ?? [])
    .flatMap(({ oldState, newState }) => [oldState, newState])
    .map((state) => valueAt(state?.outputs, ["__private", "madeWith", "dialect"]));
  const name = named.find((each) => typeof each === "string");
  if (name !== undefined && Object.hasOwn(dialects, name)) return dialects[name]!;
  const isSaid = (diagnostics ?? []).some(({ message }) => /: (always runs|scales to zero)\b/.test(message));
  const scaling = Object.values(dialects).find((each) => Object.keys(each.scaling).length > 0);
  return isSaid && scaling !== undefined ? scaling : dialects["standard"]!;
}

/** Of all deployments that a preview lists; undefined if nothing is known of them. */
export interface TotalDemand {
  readonly before: Pick<Demand, "cpu" | "memory">;
  readonly after: Pick<Demand, "cpu" | "memory">;
  readonly text: string;
}

export function totalOf(all: readonly DemandChange[]): TotalDemand | undefined {
  const [olds, news] = (["before", "after"] as const).map((side) =>
    all.map((each) => each[side]).filter((demand) => demand !== undefined),
  ) as [Demand[], Demand[]];
  const [before, after] = [olds, news].map((side) => sumOfDemands(side.filter(isSized))) as [Demand, Demand];
  const sizes = sizeText(after, before);
  const former = sizeText(before);
  const size = sizes ?? (former && `nothing; was ${former}`);
  const sized = news.filter(isSized).length;
  const those = sized === news.length ? "" : ` (${sized} of ${news.length} declare a size)`;
  const runs = [countText(news, "always", "always run"), countText(news, "to zero", "scale to zero")];
  const ran = [countText(olds, "always", "always ran"), countText(olds, "to zero", "scaled to zero")];
  const [running, formerly] = [runs, ran].map((counts) => counts.filter(Boolean).join(", "));
  const numbers = (texts: readonly string[]) => texts.map((text) => Number.parseInt(text) || 0).join();
  const isOther = formerly !== "" && numbers(runs) !== numbers(ran);
  const parts = [
    size && `take ${size}${those}`,
    running || isOther ? `${running || "none runs"}${isOther ? `; before, ${formerly}` : ""}` : "",
  ].filter(Boolean);
  return parts.length === 0 ? undefined : { before, after, text: parts.join("; ") };
}

function countText(demands: readonly Demand[], scaling: Demand["scaling"], text: string): string {
  const count = demands.filter((each) => each.scaling === scaling).length;
  return count === 0 ? "" : `${count} ${text}`;
}

function isSized({ cpu, memory }: Demand): boolean {
  return [cpu, memory].some(({ least, most }) => least !== undefined || most !== undefined);
}
