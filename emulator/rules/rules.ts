import type { Json, JsonObject } from "../json";
import type { ObjectShape, UnknownKeys } from "../shape";
import type { Deletion, Rollout, Wait } from "../state/script";
import type { TextName } from "./texts";

/**
 * Everything in which one dialect of the service differs from another: words, headers, paths, fields and
 * rules. The code asks these data and never asks for a dialect by name.
 */
export interface Rules {
  readonly headers: { readonly apiKey: string; readonly tenant: string; readonly requestId: string };
  /** An endpoint that is not here does not exist: 404. */
  readonly endpoints: Readonly<Partial<Record<EndpointName, Endpoint>>>;
  readonly requests: {
    readonly create: ObjectShape;
    readonly patch: ObjectShape;
    readonly revise?: ObjectShape;
    readonly createListener?: ObjectShape;
    readonly patchListener?: ObjectShape;
  };
  /** In bodies and in queries alike. */
  readonly unknownKeys: UnknownKeys;
  /** An endpoint that is not here takes no query. */
  readonly queries: Readonly<Partial<Record<EndpointName, QueryRules>>>;
  readonly sources: Readonly<Record<string, SourceRules>>;
  /** Combinations of values that are refused, judged on the merged deployment. */
  readonly conflicts: readonly Conflict[];
  readonly uniqueNames: boolean;
  /** A deployment makes a tracing project of its name, and needs that none is there. */
  readonly tracingProjects?: boolean;
  /** Names that no secret may have. */
  readonly reservedNames?: readonly string[];
  /** The repository must be one that the integration lists, where it lists any. */
  readonly needsRepositoryAccess?: boolean;
  /** Where a source archive must be: in a place that was handed out, and has been filled. */
  readonly needsUpload?: boolean;
  /** The headers that the address of an upload is signed for. */
  readonly uploadHeaders?: Readonly<Record<string, string>>;
  /** Bytes of an archive; the storage takes no more. */
  readonly largestUpload?: number;
  readonly patch: PatchRules;
  /** Which revisions can be deployed again. */
  readonly redeploys?: "any" | "deployed-latest";
  readonly deletedTwice?: "refused" | "accepted";
  /** How long things take, unless a script says otherwise. */
  readonly pace: { readonly rollout: Rollout; readonly deletion: Deletion; readonly database: Wait };
  readonly status: {
    readonly starting: string;
    readonly ready: string;
    readonly deleting: string;
    /** The last one before it is deleted. */
    readonly finallyDeleting?: string;
    /** It is ready when its own parts stand, whatever becomes of its first revision. */
    readonly readyWithoutRevision?: boolean;
    readonly all: readonly string[];
  };
  readonly revisionStatus: {
    /** The way to the end; one step per poll. */
    readonly steps: readonly string[];
    readonly stepsOf?: Readonly<Record<string, readonly string[]>>;
    readonly done: string;
    readonly failed: string;
    /** Every status that ends a rollout badly. */
    readonly failures: readonly string[];
    readonly overtaken: string;
    /** It waits behind one that is stuck. */
    readonly queued: string;
    /** Somebody has ended it. */
    readonly interrupted: string;
  };
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
  | "listCodehostRepositories"
  | "listServiceRepositories"
  | "listCodehostIntegrations"
  | "listServiceIntegrations"
  | "createRevision"
  | "redeployRevision"
  | "interruptRevision"
  | "deleteProject"
  | "deleteDeployments"
  | "countFreeDeployments"
  | "makePushToken"
  | "makeUploadUrl"
  | "upload"
  | "listListeners"
  | "createListener"
  | "getListener"
  | "patchListener"
  | "deleteListener"
  | "readLogs"
  | "readRevisionLogs"
  | "readBuildLogs"
  | "readDeployLogs"
  | "readRevisionDeployLogs";

export interface Endpoint {
  readonly method: string;
  /** With `{deployment_id}`, `{revision_id}` and the like; each must be a UUID. The first match is taken. */
  readonly path: string;
  /** Its body is not read, or not as JSON. */
  readonly noBody?: boolean;
  /** Its address is the permission: no headers are asked for. */
  readonly open?: boolean;
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
  | "revisionStatus"
  | "deleteTracingProject"
  | "force"
  | "logType"
  | "logOrder"
  | "logOffset"
  /** Known, and without effect here. */
  | "none";

export type QueryRule = { readonly required?: boolean } & (
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
  | { readonly kind: "texts" | "uuids"; readonly filter: Filter; readonly max?: number }
  /** Given once for each. */
  | { readonly kind: "repeatedUuids"; readonly filter: Filter; readonly max: number }
);

export type QueryRules = Readonly<Record<string, QueryRule>>;

export interface SourceRules {
  readonly secretReferences: boolean;
  /** The service finds the commit of each revision, and shows it. */
  readonly resolvesCommit: boolean;
  /** Dotted paths that must not be absent or null, asked for one at a time, in this order. */
  readonly required: readonly string[];
  /** Dotted paths that must be absent or null. */
  readonly refused: readonly string[];
  readonly refusedOnCreate?: readonly string[];
  /** Sources of which it cannot take a revision. */
  readonly refusedRevisionSources?: readonly string[];
  /** A dotted path: until it is given, there is nothing to run, and no revision is made. */
  readonly runs?: string;
  /** It runs where a listener is, and must name one where there are any. */
  readonly needsListener?: boolean;
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
  readonly revisionFrom: readonly {
    readonly path: string;
    readonly when: "present" | "notNull" | "notEmpty";
  }[];
}

export interface ResponseRules {
  /** Every key of the object, with what the service says where nothing was given. */
  readonly sourceConfig: JsonObject;
  readonly sourceRevisionConfig: JsonObject;
  /** Objects inside source_config; `always` ones are in each response although never given. */
  readonly nested: Readonly<
    Record<
      string,
      {
        readonly defaults: JsonObject;
        readonly always: boolean;
        /** Numbers that the service rounds to one decimal. */
        readonly tenths?: readonly string[];
      }
    >
  >;
  /** The address that the service chooses, in a field of source_config. */
  readonly generatedUrl: {
    readonly field: string;
    readonly template: string;
    /** Sources with an address of another kind, which the response does not repeat at its top. */
    readonly ofSources?: Readonly<Record<string, string>>;
  };
  /** Sources that are built are shown with the commit and the image. */
  readonly built?: { readonly image: string };
  /** Keys of the whole response that a later version has added, each with its default. */
  readonly later?: JsonObject;
  readonly deploymentTypeField: string;
  readonly commitField: string;
  readonly imageVersion: string;
}
