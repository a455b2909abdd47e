/** What the deployments of a preview take to run, before and after. */
import {
  demandOf,
  demandText,
  runsByDefault,
  sizeText,
  sumOfDemands,
  type Demand,
} from "../deployment/demand";
import { dialects, type Dialect } from "../dialects";
import { valueAt, type Values } from "../../schema/tree";
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
  return demandOf(shownIn(state), dialect, isNew);
}

function shownIn(state: ResourceState): Values {
  return maskSecrets(declaredInputs(state), secretPathsOf(state));
}

/** Whether a deployment that is created always runs only because its type is not declared. */
export function alwaysRunsByDefault({ op, newState }: PreviewStep, dialect: Dialect): boolean {
  return /create|replace/.test(op) && newState !== undefined && runsByDefault(shownIn(newState), dialect);
}

/**
 * Returns the dialect of a step's deployment. Only a state tells it; for a deployment that is created, those of the others do if they
 * agree, and in a stack that is created, the lines next to its resources.
 */
export function dialectsIn({ steps, diagnostics }: Preview): (step: PreviewStep) => Dialect {
  const stated = new Set((steps ?? []).flatMap(statedDialects));
  const isSaid = (diagnostics ?? []).some(({ message }) => /: (always runs|scales to zero)\b/.test(message));
  const scaling = Object.values(dialects).find((each) => Object.keys(each.scaling).length > 0);
  const said = isSaid && stated.size === 0 ? scaling : undefined;
  const common = stated.size === 1 ? [...stated][0] : said;
  return (step) => statedDialects(step)[0] ?? common ?? dialects["standard"]!;
}

function statedDialects({ oldState, newState }: PreviewStep): Dialect[] {
  return [oldState, newState].flatMap((state) => {
    const name = valueAt(state?.outputs, ["__private", "madeWith", "dialect"]);
    return typeof name === "string" && Object.hasOwn(dialects, name) ? [dialects[name]!] : [];
  });
}

/** Of all deployments that a preview lists; undefined if nothing is known of them. */
export interface TotalDemand {
  readonly before: Pick<Demand, "cpu" | "memory">;
  readonly after: Pick<Demand, "cpu" | "memory">;
  /** Undefined if nothing changes. */
  readonly text: string | undefined;
}

export function totalOf(all: readonly DemandChange[]): TotalDemand | undefined {
  const [olds, news] = (["before", "after"] as const).map((side) =>
    all.map((each) => each[side]).filter((demand) => demand !== undefined),
  ) as [Demand[], Demand[]];
  const [before, after] = [olds, news].map((side) => sumOfDemands(side.filter(isSized))) as [Demand, Demand];
  const former = sizeText(before);
  const size = sizeText(after, before) ?? (former && `nothing; was ${former}`);
  const sized = news.filter(isSized).length;
  const those = sized === news.length ? "" : ` (${sized} of ${news.length} declare a size)`;
  const [ran, runs] = [olds, news].map(scalingText);
  if (!size && !runs && !ran) return undefined;
  const lines = [
    ...(sizeText(after) === former ? [] : [`Total of the deployments listed here: ${size}${those}`]),
    ...(runs === ran
      ? []
      : [`Of the deployments listed here, ${runs || "none runs"}${ran && `; before, ${ran}`}`]),
  ];
  return { before, after, text: lines.length === 0 ? undefined : `${lines.join(". ")}.` };
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
