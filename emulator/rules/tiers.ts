import { fill } from "../json-values";
import { Refusal } from "../refusal";
import type { Rules } from "./dialect-rules";

/** The parts of a deployment that have a tier each, if one was chosen. */
export interface Tiers {
  compute_tier?: string;
  database_tier?: string;
}

/** Null and undefined keep a tier. `deployment_tier` sets both parts. */
export type TierChange = { readonly [Key in keyof Tiers | "deployment_tier"]?: string | null };

export interface Sized {
  readonly source: string;
  readonly deploymentType: string;
  readonly hasRun: boolean;
}

export function hasTiers({ tiers, sources }: Rules, source: string): boolean {
  return tiers !== undefined && !sources[source]?.refused?.includes("source_config.deployment_type");
}

export function choosesTier({ deployment_tier, compute_tier, database_tier }: TierChange): boolean {
  return [deployment_tier, compute_tier, database_tier].some((tier) => typeof tier === "string");
}

export function refuseTiers(rules: Rules, sized: Sized, change: TierChange): void {
  const { tiers, texts } = rules;
  if (tiers === undefined || !choosesTier(change)) return;
  const { source, deploymentType, hasRun } = sized;
  if (!hasTiers(rules, source))
    throw new Refusal(400, fill(texts.refusedForSource, { path: "deployment_tier", source }));
  if (!hasRun) throw new Refusal(500, texts.tierBeforeRevision);
  const family = tiers.families[deploymentType];
  for (const tier of [change.deployment_tier, change.compute_tier, change.database_tier])
    if (tier && family !== undefined && !tier.startsWith(`${family}_`))
      throw new Refusal(400, fill(texts.tierOfOtherFamily, { tier, type: deploymentType }));
  if (change.database_tier && family !== undefined && family !== tiers.databasesOf)
    throw new Refusal(400, texts.databaseTierRefused);
}

export function mergeTiers(
  stored: Tiers,
  { deployment_tier, compute_tier, database_tier }: TierChange,
): Tiers {
  const compute = compute_tier ?? deployment_tier ?? stored.compute_tier;
  const database = database_tier ?? deployment_tier ?? stored.database_tier;
  return { ...(compute && { compute_tier: compute }), ...(database && { database_tier: database }) };
}
