import type { DeploymentFilters } from "../../schema/filters";
import type { Observed } from "../deployment/service";

/** Says which ids were asked for and not found; undefined where all were. */
export function missingIds(
  { deploymentIds = [], ...others }: DeploymentFilters,
  found: readonly Observed[],
): string | undefined {
  const ids = new Set(found.map(({ id }) => id.toLowerCase()));
  const missing = deploymentIds.filter((id) => !ids.has(id.toLowerCase()));
  if (missing.length === 0) return undefined;
  const also = Object.keys(others).length > 0 ? ", or none that fits the other filters too" : "";
  return `the service has no deployment with the id ${missing.join(", ")}${also}`;
}
