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
import { readServiceRules } from "../settings/reading";
import type { EnvironmentVariables } from "../settings/table";
import { valueAt, type Values } from "../../schema/tree";
import { declaredInputs, secretPathsOf } from "./changes";
import { providerOf, type Preview, type PreviewStep, type ResourceState } from "./preview";
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
 * Returns the dialect of a step's deployment: that of its state, else that of its connection. The engine lists a provider only if it
 * changes.
 *
 * @param env the environment, which provides what the stack's configuration does not
 */
export function dialectsIn(
  { steps, config }: Preview,
  env: EnvironmentVariables,
): (step: PreviewStep) => Dialect {
  const all = steps ?? [];
  const inputsOf = new Map(all.map(({ urn, newState }) => [urn, newState?.inputs]));
  const ofConnection = (provider: string): string => {
    const settings = { ...config, ...inputsOf.get(provider) };
    const rules = readServiceRules((key) => settings[key] ?? settings[key.replace(/^.*:/, "")], env);
    return "name" in rules ? rules.name : "standard";
  };
  const connections = new Map(
    Array.from(new Set(all.map(({ newState }) => providerOf(newState))), (urn) => [urn, ofConnection(urn)]),
  );
  return (step) => {
    const stated = [step.oldState, step.newState]
      .map((state) => valueAt(state?.outputs, ["__private", "madeWith", "dialect"]))
      .find((name) => typeof name === "string" && Object.hasOwn(dialects, name));
    return dialects[String(stated ?? connections.get(providerOf(step.newState)))]!;
  };
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
