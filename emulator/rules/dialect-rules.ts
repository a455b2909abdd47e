import type { JsonObject } from "../json-values";
import type { ObjectShape } from "../json-shape";
import type { TextName } from "./refusal-texts";

/** What all dialects share: the names of headers, and statuses. */
export const headers = { apiKey: "X-Api-Key", tenant: "X-Tenant-Id", requestId: "X-Request-Id" };

export const statuses = {
  starting: "AWAITING_DATABASE",
  ready: "READY",
  unused: "UNUSED",
  deleting: "AWAITING_DELETE",
  unknown: "UNKNOWN",
} as const;

export const revisionStatuses = {
  /** One step per poll. */
  steps: ["CREATING", "QUEUED", "AWAITING_BUILD", "BUILDING", "AWAITING_DEPLOY", "DEPLOYING"],
  stepsWithoutBuild: ["CREATING", "QUEUED", "AWAITING_DEPLOY", "DEPLOYING"],
  failures: ["CREATE_FAILED", "BUILD_FAILED", "DEPLOY_FAILED"] as readonly string[],
  done: "DEPLOYED",
  failed: "DEPLOY_FAILED",
  overtaken: "SKIPPED",
  queued: "QUEUED",
  interrupted: "INTERRUPTED",
} as const;

/** Everything in which dialects differ. The code reads this data and never asks for a dialect by name. */
export interface Rules {
  /** The first match counts. Anything else does not exist: 404. */
  readonly endpoints: readonly Endpoint[];
  readonly requests: { readonly create: ObjectShape; readonly patch: ObjectShape };
  /** An endpoint that is missing here accepts no query. */
  readonly queries: Readonly<Partial<Record<EndpointName, QueryRules>>>;
  readonly sources: Readonly<Record<string, SourceRules>>;
  /** `build_on_push` is refused if `repo_ref` is a tag. */
  readonly refusesPushForTag?: boolean;
  /** Each deployment creates a tracing project of its name, and is refused if there already is one. */
  readonly tracingProjects?: boolean;
  readonly tiers?: TierRules;
  /** The key can also be sent as `Authorization: Bearer`. */
  readonly bearer?: boolean;
  /** Names that no secret can have. */
  readonly reservedNames?: readonly string[];
  /** Further ones in the vendor's cloud. */
  readonly reservedInCloud?: readonly string[];
  /** Another path below which the service answers. */
  readonly alsoBelow?: string;
  /** If the integration lists repositories, the deployment's must be one of them. */
  readonly needsRepositoryAccess?: boolean;
  readonly uploads?: {
    /** What becomes of a request for an upload URL that has a body. */
    readonly offer: "accepted" | "refused";
    /** The headers that the upload URL is signed for. */
    readonly headers: Readonly<Record<string, string>>;
    /** Those that only a client learns that offers to send them. */
    readonly toldHeaders?: Readonly<Record<string, string>> | undefined;
    readonly largestBytes: number;
  };
  readonly patch: PatchRules;
  /** A last status, which one more poll shows before the deployment is gone. */
  readonly finallyDeleting?: string;
  /**
   * After this many responses the deployment is ready, whatever happens to its first revision. Otherwise it is ready once a
   * revision is active.
   */
  readonly readyAfter?: number;
  readonly responses: ResponseRules;
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
  | "interruptRevision"
  | "readLogs"
  | "readBuildLogs"
  | "readDeployLogs"
  | "makeUploadUrl"
  | "upload"
  | "listCodehostIntegrations"
  | "listCodehostRepositories"
  | "listServiceRepositories"
  | "listListeners";

export interface Endpoint {
  readonly name: EndpointName;
  readonly method: string;
  /** Contains placeholders such as `{deployment_id}`; each stands for a UUID. */
  readonly path: string;
  /** The body is not read, or not as JSON. */
  readonly noBody?: boolean;
  /** No API key is needed: whoever knows the URL has access. */
  readonly open?: boolean;
}

export interface QueryRules {
  /** Pages by `limit` and `offset`. */
  readonly page?: { readonly limit: number; readonly max: number };
  readonly filters?: Readonly<Record<string, FilterRule>>;
}

export type FilterRule =
  | { readonly kind: "text" | "boolean" }
  | { readonly kind: "choice"; readonly values: readonly string[]; readonly required?: boolean }
  /** Comma-separated. */
  | { readonly kind: "texts" | "uuids"; readonly max?: number };

/** Paths are dotted: `source_config.repo_url`. */
export interface SourceRules {
  readonly secretReferences?: boolean;
  /** The service builds it from a commit, which its revisions then show. */
  readonly resolvesCommit?: boolean;
  /** An image that exists already goes through no build. */
  readonly skipsBuild?: boolean;
  /** Must be present; reported one at a time, in this order. */
  readonly required?: readonly string[];
  /** Must be absent or null. */
  readonly refused?: readonly string[];
  readonly refusedOnCreate?: readonly string[];
  /** Other sources that one of its revisions cannot have. */
  readonly refusedRevisionSources?: readonly string[];
  /** Until this path has a value, there is nothing to run and no revision is created. */
  readonly runs?: string;
  /** Must name a listener if there are any. */
  readonly needsListener?: boolean;
}

export interface PatchRules {
  readonly null: "clears" | "keeps";
  readonly emptySecrets: "clears" | "keeps";
  /** Paths that create a revision if the body has a value there, even the same one. */
  readonly revisionFrom: readonly string[];
}

export interface ResponseRules {
  /** Every key, with the value that a response shows if none was given. */
  readonly sourceConfig: JsonObject;
  readonly sourceRevisionConfig: JsonObject;
  /** Objects inside `source_config`, which are completed by these defaults. */
  readonly nestedDefaults: Readonly<Record<string, JsonObject>>;
  /** The ones that a response shows even if they were never given. */
  readonly alwaysNested: readonly string[];
  /** Numbers in them that the service rounds to one decimal. */
  readonly tenths?: readonly string[];
  /** The address that the service generates for `custom_url`. */
  readonly generatedUrl: string;
  /** Addresses of other kinds, by source. A response does not repeat these as `url`. */
  readonly generatedUrlOf?: Readonly<Record<string, string>>;
  /** Keys that later versions added to a deployment, with their defaults. */
  readonly later?: JsonObject;
}

/** Sizes of deployments. A tier's name consists of its family and its size: `SERVERLESS_M`. */
export interface TierRules {
  /** By deployment type. A type that is missing here accepts every tier. */
  readonly families: Readonly<Record<string, string>>;
}
