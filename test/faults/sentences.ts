/** What a case's test is called, and what of a deployment it looks at. */
import type { DeploymentRecord } from "../../emulator";
import { lawOf } from "./laws";
import type { FaultCase } from "./table";

export function sentenceOf({ operation, fault, adapter }: FaultCase): string {
  const provider = adapter === "packaged" ? " with the packaged provider" : "";
  return `${operation.title}${provider}, when ${fault.title}, ends ${lawOf(operation, fault).ends}, and is whole in the end`;
}

export function finalValues(record: DeploymentRecord) {
  const spec = record.source_config["resource_spec"] as { min_scale?: unknown } | undefined;
  return {
    name: record.name,
    source: record.source,
    minScale: spec?.min_scale,
    image: record.source_revision_config["image_uri"],
    secrets: record.secrets,
    isRolledOut: record.active_revision_id === record.latest_revision_id,
  };
}
