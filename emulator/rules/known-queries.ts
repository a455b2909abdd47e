import type { FilterRule, QueryRules } from "./dialect-rules";

/** The query parameters that all dialects share. */

export const page: QueryRules["page"] = { limit: 20, max: 100 };
export const text: FilterRule = { kind: "text" };

const remoteReconciled = { remote_reconciled: { kind: "boolean" } } as const;

export const listDeployments = (deploymentTypes: readonly string[]) =>
  ({
    page,
    filters: {
      name_contains: text,
      status: text,
      ...remoteReconciled,
      tag_value_ids: { kind: "texts" },
      image_version: text,
      deployment_type: { kind: "choice", values: deploymentTypes },
      deployment_ids: { kind: "uuids", max: 100 },
    },
  }) satisfies QueryRules;

export const listRevisions = {
  page,
  filters: { status: { kind: "texts" }, ...remoteReconciled },
} satisfies QueryRules;
