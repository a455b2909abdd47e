// Generated from schema/fields.ts and schema/outputs.ts by `npm run generate`; a test fails when it is stale.
import type { Output, Unwrap } from "@pulumi/pulumi";
import type { SecretReference, Source, SourceConfig, SourceRevisionConfig } from "./arguments";

/** Status of a deployment as the service reports it. Newer services may report other values. */
export type DeploymentStatus =
  | "AWAITING_DATABASE"
  | "READY"
  | "UNUSED"
  | "AWAITING_DELETE"
  | "AWAITING_FINAL_DELETE"
  | "UNKNOWN"
  | (string & Record<never, never>);

/** What the service reports. */
export interface ObservedOutputs {
  /** Starts at 1 and increases by one with every revision that the program creates. Known in a preview. */
  readonly generation: Output<number>;
  /** Id (UUID) of the owning tenant. */
  readonly tenantId: Output<string | null>;
  /** Status of the deployment as the service reports it, for example `READY`. */
  readonly status: Output<DeploymentStatus>;
  /** Time of creation, in ISO 8601. */
  readonly createdAt: Output<string | null>;
  /** Time of the last change, in ISO 8601. */
  readonly updatedAt: Output<string | null>;
  /** Id (UUID) of the newest revision, active or not. */
  readonly latestRevisionId: Output<string | null>;
  /** Status of the newest revision, for example `DEPLOYED` or `BUILD_FAILED`. Only if the service reports it: dialect `langsmith`. */
  readonly latestRevisionStatus: Output<string | null | undefined>;
  /** Id (UUID) of the active revision. */
  readonly activeRevisionId: Output<string | null>;
  /** Version of the image. */
  readonly imageVersion: Output<string | null>;
  /** Commit that the newest revision was built from. */
  readonly repoCommitSha: Output<string | null>;
  /**
   * Address of the deployment, as the service reports it. Null until it does. Where a string is required: `fromOutput(chat, "url")`, which
   * fails if it is null.
   */
  readonly url: Output<string | null>;
  /** Address of the deployment's page in the service's dashboard: dialect `langsmith`. */
  readonly dashboardUrl: Output<string | null>;
  /** Id (UUID) of the deployment's tracing project, which alert rules and evaluators refer to: dialect `langsmith`. */
  readonly tracerSessionId: Output<string | null>;
  /**
   * Size of the deployment, as the service reports it, for example `SERVERLESS_S`. If the database has a different size, that of the
   * application.
   */
  readonly deploymentTier: Output<string | null>;
  /** Size of the database, as the service reports it. */
  readonly databaseTier: Output<string | null>;
}

/** The outputs of a `Deployment`: what it declares, and what the service reports. */
export interface DeploymentOutputs extends ObservedOutputs {
  /** Name of the deployment. Default: the resource's logical name. */
  readonly name: Output<string>;
  /**
   * Where the deployment comes from: a repository (`codehost`), your image (`external_container`), a folder or an archive
   * (`internal_source`), an image in the service's own registry (`internal_container`), or a template.
   */
  readonly source: Output<Source>;
  /** Settings of the source. In dialect standard, their changes create no revision. */
  readonly sourceConfig: Output<Unwrap<SourceConfig> | undefined>;
  /** Settings of the source whose changes create a new revision. */
  readonly sourceRevisionConfig: Output<Unwrap<SourceRevisionConfig> | undefined>;
  /**
   * Folder of source code to upload, relative to the program's folder. A change of its content creates a new revision. Only with
   * `internal_source`, in dialect `langsmith`.
   */
  readonly sourceDirectory: Output<string | undefined>;
  /** Overrides the source for later revisions. Default: `source`. Only sent with a new revision. */
  readonly revisionSource: Output<string | undefined>;
  /** Environment variables of the application, by name. Always secret. */
  readonly secrets: Output<Record<string, string> | undefined>;
  /** Environment variables from secrets of the cluster: `{ secretName, secretKey }` by name. Only with `external_container`. */
  readonly secretReferences: Output<Record<string, Unwrap<SecretReference>> | undefined>;
  /** Name that the service's dashboard shows. The service cannot clear it. Only in dialect `langsmith`. */
  readonly displayName: Output<string | undefined>;
  /** Whether the deployment can be shared with users outside the organization. Only in dialect `langsmith`. */
  readonly shareable: Output<boolean | undefined>;
  /** Any JSON value. A change creates a new revision even if nothing else changed. */
  readonly triggers: Output<unknown>;
  /**
   * Also delete the tracing project of the same name, with all its traces, when the deployment is deleted. Only in dialect `langsmith`.
   * Default: false.
   */
  readonly deleteTracingProject: Output<boolean | undefined>;
}
