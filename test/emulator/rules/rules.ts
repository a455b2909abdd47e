import type { Json, JsonObject } from "../json";
import type { ObjectShape, UnknownKeys } from "../shape";

/**
 * Everything in which one dialect of the service differs from another: words, headers, paths, fields and
 * rules. The code asks these data and never asks for a dialect by name.
 */
export interface Rules {
  readonly headers: { readonly apiKey: string; readonly tenant: string; readonly requestId: string };
  /** An endpoint that is not here does not exist: 404. */
  readonly endpoints: Readonly<Partial<Record<EndpointName, Endpoint>>>;
  readonly requests: { readonly create: ObjectShape; readonly patch: ObjectShape };
  readonly unknownKeys: UnknownKeys;
  readonly queries: { readonly deployments: QueryRules; readonly revisions: QueryRules };
  readonly sources: Readonly<Record<string, SourceRules>>;
  /** Combinations of values that are refused, judged on the merged deployment. */
  readonly conflicts: readonly Conflict[];
  readonly uniqueNames: boolean;
  readonly patch: PatchRules;
  readonly status: {
    readonly starting: string;
    readonly ready: string;
    readonly deleting: string;
    readonly all: readonly string[];
  };
  readonly revisionStatus: {
    /** The way to the end; one step per look. */
    readonly steps: readonly string[];
    readonly done: string;
    readonly failed: string;
    readonly overtaken: string;
  };
  readonly answers: AnswerRules;
  readonly texts: Readonly<Record<TextName, string>>;
}

export type EndpointName =
  | "createDeployment"
  | "listDeployments"
  | "getDeployment"
  | "patchDeployment"
  | "deleteDeployment"
  | "listRevisions"
  | "getRevision"
  | "listCodehostRepositories"
  | "listServiceRepositories";

export interface Endpoint {
  readonly method: string;
  /** With `{deployment_id}`, `{revision_id}` or `{integration_id}`; each must be a UUID. */
  readonly path: string;
}

export type Filter =
  | "nameContains"
  | "name"
  | "status"
  | "remoteReconciled"
  | "tags"
  | "imageVersion"
  | "deploymentType"
  | "ids"
  | "revisionStatus";

export type QueryRule =
  | {
      readonly kind: "integer";
      readonly role: "limit" | "offset";
      readonly default: number;
      readonly min: number;
      readonly max?: number;
    }
  | { readonly kind: "text" | "boolean"; readonly filter: Filter }
  | { readonly kind: "choice"; readonly filter: Filter; readonly values: readonly string[] }
  /** Comma-separated. */
  | { readonly kind: "texts" | "uuids"; readonly filter: Filter; readonly max?: number };

export type QueryRules = Readonly<Record<string, QueryRule>>;

export interface SourceRules {
  readonly secretReferences: boolean;
  /** The service finds the commit of each revision, and answers with it. */
  readonly resolvesCommit: boolean;
  /** Dotted paths that must not be absent or null, asked for one at a time, in this order. */
  readonly required: readonly string[];
  /** Dotted paths that must be absent or null. */
  readonly refused: readonly string[];
}

export interface Condition {
  readonly path: string;
  readonly equals?: Json;
  readonly startsWith?: string;
}

export interface Conflict {
  readonly all: readonly Condition[];
  readonly text: string;
}

export interface PatchRules {
  readonly null: "clears" | "keeps";
  readonly emptySecrets: "clears" | "keeps";
  readonly emptySecretReferences: "clears" | "keeps";
  /** Dotted paths that make a revision when they are in the body; no value is compared. */
  readonly revisionFrom: readonly { readonly path: string; readonly when: "present" | "notNull" }[];
}

export interface AnswerRules {
  /** Every key of the object, with what the service says where nothing was given. */
  readonly sourceConfig: JsonObject;
  readonly sourceRevisionConfig: JsonObject;
  /** Objects inside source_config; `always` ones are answered although never given. */
  readonly nested: Readonly<Record<string, { readonly defaults: JsonObject; readonly always: boolean }>>;
  readonly generatedUrl: { readonly field: string; readonly template: string };
  readonly deploymentTypeField: string;
  readonly commitField: string;
  readonly imageVersion: string;
}

export type TextName =
  | "noSuchEndpoint"
  | "keyMissing"
  | "keyWrong"
  | "tenantRequired"
  | "tenantWrong"
  | "contentType"
  | "bodyTooLarge"
  | "deploymentNotFound"
  | "revisionNotFound"
  | "integrationNotFound"
  | "nameTaken"
  | "beingDeleted"
  | "secretReferencesRefused"
  | "revisionSourceAlone"
  | "requiredForSource"
  | "refusedForSource";
