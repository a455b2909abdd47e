import type { JsonObject } from "../json-values";
import type { Content } from "../rules/change";
import type { Tiers } from "../rules/tiers";
import type { Deletion, Rollout } from "./script";

/** What the service stores about a revision. */
export interface RevisionRecord {
  id: string;
  /** 1 for the first revision of a deployment. */
  number: number;
  created_at: string;
  updated_at: string;
  source: string;
  source_revision_config: JsonObject;
  state: "queued" | "rolling-out" | "done" | "failed" | "overtaken" | "interrupted";
  /** The status of a failed revision, unless it is the usual one. */
  failure?: string;
  rollout: Rollout;
  startedAt: number;
  /** Responses that have shown the revision as unfinished. */
  polls: number;
}

/** What the service stores about a deployment. Optional fields are absent, never null. */
export interface DeploymentRecord extends Content {
  id: string;
  /** The order of creation, because timestamps can be equal. */
  sequence: number;
  name: string;
  source: string;
  tenant_id: string;
  created_at: string;
  updated_at: string;
  status: string;
  latest_revision_id: string | null;
  active_revision_id: string | null;
  image_version: string | null;
  revisions: RevisionRecord[];
  /** No response shows these two, but the list can be filtered by them. */
  remote_reconciled: boolean;
  tag_value_ids: string[];
  /** Present until the deployment's own resources are ready, if they do not wait for the first revision. */
  database?: { polls: number };
  deletion?: { script: Deletion; startedAt: number; polls: number };
  /** An outdated response that the next responses still show. */
  behind?: { shown: JsonObject; responses: number };
  /** Fields that only later clients send. */
  display_name?: string;
  route_through_gateway?: boolean;
  shareable?: boolean;
  tiers?: Tiers;
  /** The branch that pushes build, if it is another one than the latest revision's. */
  tracked_repo_ref?: string;
  /** Made by the service for a preview build of its own, or by the tool for managed agents. */
  is_preview?: boolean;
  is_managed_deep_agent?: boolean;
  /** Upload URLs that were issued for source archives. */
  uploads?: { id: string; object_path: string; received: boolean }[];
}

/** All other revisions have ended, or are queued behind this one. */
export function runningRevision({ revisions }: DeploymentRecord): RevisionRecord | undefined {
  return revisions.find(({ state }) => state === "rolling-out");
}
