import { fill } from "../json-values";
import { Refusal } from "../refusal";
import type { Rules } from "./dialect-rules";

/** The parts of a deployment that have a tier each, if one was chosen. */
export interface Tiers {
  compute_tier?: string;
  database_tier?: string;
}

export interface Sized {
  readonly source: string;
  readonly deploymentType: string;
  readonly hasRun: boolean;
}

export function hasTiers({ tiers, sources }: Rules, source: string): boolean {
  return tiers !== undefined && !sources[source]?.refused?.includes("source_config.deployment_type");
}

export function refuseTier(rules: Rules, { source, deploymentType, hasRun }: Sized, tier: string): void {
  const { tiers, texts } = rules;
  if (!hasTiers(rules, source))
    throw new Refusal(400, fill(texts.refusedForSource, { path: "deployment_tier", source }));
  if (!hasRun) throw new Refusal(500, texts.tierBeforeRevision);
  const family = tiers?.families[deploymentType];
  if (family !== undefined && !tier.startsWith(`${family}_`))
    throw new Refusal(400, fill(texts.tierOfOtherFamily, { tier, type: deploymentType }));
}
