import type { JsonObject } from "../json";
import type { Deletion, Rollout, Wait } from "./script";

export type Secret = { name: string; value: string };
export type SecretReference = { name: string; secret_name: string; secret_key: string };

/** What the service remembers of one revision. */
export interface RevisionRecord {
  id: string;
  /** 1 for the first revision of a deployment. */
  number: number;
  created_at: string;
  updated_at: string;
  source: string;
  source_revision_config: JsonObject;
  state: "queued" | "rolling-out" | "done" | "failed" | "overtaken" | "interrupted";
  /** Of a failed revision, where it is not the usual one. */
  failure?: string;
  rollout: Rollout;
  startedAt: number;
  /** Responses that have shown the revision unfinished. */
  polls: number;
}

/** What the service remembers of one deployment; absent optional fields are absent, never null. */
export interface DeploymentRecord {
  id: string;
  /** Order of creation: time stamps alone can be equal. */
  sequence: number;
  name: string;
  source: string;
  source_config: JsonObject;
  /** The latest revision's. */
  source_revision_config: JsonObject;
  secrets: Secret[];
  secret_references: SecretReference[] | null;
  tenant_id: string;
  created_at: string;
  updated_at: string;
  status: string;
  latest_revision_id: string | null;
  active_revision_id: string | null;
  image_version: string | null;
  revisions: RevisionRecord[];
  /** In no response; two filters of the list ask for them. */
  remote_reconciled: boolean;
  tag_value_ids: string[];
  /** Present until the deployment's own parts stand, where they do not wait for the first revision. */
  database?: { script: Wait; startedAt: number; polls: number };
  deletion?: { script: Deletion; startedAt: number; polls: number };
  /** What some more responses show in place of the deployment as it is. */
  behind?: { shown: JsonObject; responses: number };
  /** Fields that only later clients send, kept where the rules accept them. */
  display_name?: string;
  route_through_gateway?: boolean;
  /** Places for source archives that were handed out. */
  uploads?: { id: string; object_path: string; received: boolean }[];
}

export function latestRevision(record: DeploymentRecord): RevisionRecord | undefined {
  return record.revisions.at(-1);
}

/** The one that is being rolled out; all others have ended, or wait behind it. */
export function runningRevision({ revisions }: DeploymentRecord): RevisionRecord | undefined {
  return revisions.find(({ state }) => state === "rolling-out");
}
