/** Whether the service has what a program declares. */
import { isDeepStrictEqual } from "node:util";
import type { DeploymentRecord } from "../../../emulator";
import { deploymentTiers, expected, type Spec } from "./program";

/** The service's defaults. Declaring one changes nothing. */
const defaults: Readonly<Record<string, unknown>> = { build_on_push: false, deployment_type: "prod" };

/** Others may have changed secrets that the service does not show: nobody knows of it then. */
type Shown = Omit<DeploymentRecord, "secrets"> & Partial<Pick<DeploymentRecord, "secrets">>;

/**
 * @param isPure nobody but the program has ever given it a value
 * @param isChanged someone else has changed it, perhaps what can never be changed back
 */
export function isAsExpected(
  record: Shown,
  slot: number,
  spec: Spec,
  isPure: boolean,
  isChanged: boolean,
): boolean {
  const { name, source, config, size, tier, once, revision, secrets, reference } = expected(slot, spec);
  const stored: Record<string, unknown> = { ...defaults, ...record.source_config };
  const storedSize = (record.source_config["resource_spec"] ?? {}) as Record<string, unknown>;
  const storedSecrets =
    record.secrets && Object.fromEntries(record.secrets.map(({ name, value }) => [name, value]));
  const agree = (want: object, have: Record<string, unknown>) =>
    Object.entries(want).every(([key, value]) => {
      const now = have[key] ?? null;
      // Values that were never declared belong to others.
      return isSame(now, value) || (value === null && (!isPure || now === defaults[key]));
    });
  return (
    record.name === name &&
    record.source === source &&
    agree(config, stored) &&
    agree(size, storedSize) &&
    (once.deployment_tier === null ||
      (record.tiers?.compute_tier ?? deploymentTiers[0]) === once.deployment_tier) &&
    (once.display_name === null || record.display_name === once.display_name) &&
    (tier === null || isChanged || stored["deployment_type"] === tier) &&
    agree(revision, record.source_revision_config) &&
    (storedSecrets === undefined || agree(secrets, storedSecrets)) &&
    (!isPure || isDeepStrictEqual(storedSecrets, secrets)) &&
    (reference === null || record.secret_references?.[0]?.secret_key === reference) &&
    (!isPure || reference !== null || (record.secret_references ?? []).length === 0)
  );
}

/** A UUID is the same in any letter case. */
function isSame(now: unknown, value: unknown): boolean {
  const isUuid = typeof value === "string" && /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(value);
  return isUuid && typeof now === "string" ? now.toLowerCase() === value : isDeepStrictEqual(now, value);
}
