/** The service, as what decides sees it: the port that `control-plane` implements. */
import type { Deployment } from "../../schema/deployment";
import type { Values } from "../../schema/tree";
import type { Owner } from "../dialects";

/**
 * A deployment as the service returned it, with the names of the arguments; `null` means not set. Its addresses hold no users, passwords
 * or tokens.
 */
export interface Observed {
  readonly id: string;
  /** Empty if the service created the deployment without one. */
  readonly name: string;
  readonly source: string;
  /** The dialect of the service, if its spelling of the source tells. */
  readonly spokenDialect?: string;
  readonly sourceConfig: Values;
  readonly sourceRevisionConfig: Values;
  /** By name; undefined if the response does not contain them. A value may be masked. */
  readonly secrets: { readonly [name: string]: string | null } | undefined;
  /** Undefined if the response does not contain them. */
  readonly secretReferences: Values | null | undefined;
  readonly tenantId: string | null;
  readonly status: string;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly latestRevisionId: string | null;
  /** Undefined if the service was not asked, or does not report it. */
  readonly latestRevisionStatus?: string | null | undefined;
  /** Why the latest revision failed, in the service's words, if it gave a reason. */
  readonly latestRevisionReason?: string | undefined;
  /** The revision that a queued latest one waits for, if a response has shown it. */
  readonly queuedBehind?: string;
  readonly activeRevisionId: string | null;
  readonly imageVersion: string | null;
  /** The address of the deployment. */
  readonly url: string | null;
  /** The address of its page in the service's dashboard, if there is one. */
  readonly dashboardUrl: string | null;
  /** The id of its tracing project, if the service has these. */
  readonly tracerSessionId?: string | null;
  /** If something else than a program owns it. */
  readonly owner?: Owner;
  /** Undefined, like the next two, if the service does not have it. */
  readonly displayName?: string | null;
  readonly shareable?: boolean | null;
  /** The size of the application is `sourceConfig.deploymentTier`. */
  readonly databaseTier?: string | null;
}

export function isDeleting({ status }: Observed): boolean {
  return status === "AWAITING_DELETE" || status === "AWAITING_FINAL_DELETE";
}

/** Whether the newest revision, whose values the service shows, is not the active one. */
export function runsOlder({ latestRevisionId, activeRevisionId }: Observed): boolean {
  return activeRevisionId !== null && latestRevisionId !== activeRevisionId;
}

/** The content of a PATCH: changes the keys that it contains; `null` removes a value. */
export interface Patch {
  readonly sourceConfig?: Values;
  readonly sourceRevisionConfig?: Values;
  readonly revisionSource?: string;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly secretReferences?: Values | null;
  readonly displayName?: string;
}

/** The content of a declared folder of source code. `check` reads the folder and writes it next to the arguments. */
export const contentKey = "__source";

/** The content of a source folder. The order of files, their times and their owners do not matter. */
export interface SourceContent {
  /** Covers the paths, bytes and executable bits of the files, and the path of the configuration. */
  readonly digest: string;
  /** How many files there are. */
  readonly count: number;
  /** Whether its graph configuration chooses the version of the server. */
  readonly pinsServer?: true;
  /** A short digest of each file by path, to name changed files. Only for folders with few files. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Archived source code. */
export interface Archive {
  readonly content: SourceContent;
  /** The graph configuration, relative to the archive's root. */
  readonly configPath: string;
  /** Bytes. */
  readonly size: number;
  /** The bytes of the archive. Can be read more than once. */
  read(): AsyncIterable<Uint8Array>;
}

/** The source folder of a deployment, for one operation. */
export interface SourceFolder {
  /** Archives the folder once, at the first call. Throws if it cannot be read or is too large. */
  archive(): Promise<Archive>;
}

export interface PollOptions {
  /** Aborting it leaves the poll. */
  readonly signal?: AbortSignal;
  /** Whether the poll waits for a deletion that the service has accepted. */
  readonly awaitsDeletion?: boolean;
}

/** The status with which a deployment answered a request, or why the request failed. */
export type ProbeResult =
  | { readonly status: number }
  /** Completes "the last request …": `could not reach the address (ECONNREFUSED)`. */
  | { readonly problem: string };

export interface LogQuery {
  readonly id: string;
  readonly revisionId: string;
  /** The kind of log: `build` or `deploy`. */
  readonly type: string;
}

export interface ReadOptions {
  /** A write follows that depends on what is read, so this may be a second old at most. */
  readonly beforeWrite?: boolean;
}

/** The port through which operations use the service. Every wait ends when the operation does. */
export interface Service {
  /** The same service with a little extra time, even after a timeout, to find out the outcome of a request. */
  afterDeadline(): Service;
  create(deployment: Deployment): Promise<Observed>;
  /** Not retried after an ambiguous response if it makes a revision. */
  update(id: string, patch: Patch, options: { readonly makesRevision: boolean }): Promise<Observed>;
  /** Uploads source code, without rolling it out. Returns the path by which a revision refers to it. */
  upload(id: string, archive: Archive): Promise<string>;
  /**
   * "Not found" is an ambiguous error (`isAmbiguous`) if a previous try may have deleted the deployment.
   *
   * @param declared the arguments, some of which may affect the deletion
   */
  delete(id: string, declared: Values, tenantId?: string | null): Promise<void>;
  /** Shares requests with concurrent reads. Undefined if there is no such deployment. */
  read(id: string, options?: ReadOptions): Promise<Observed | undefined>;
  /** The deployment as of the next shared poll. Undefined if there is no such deployment. */
  poll(id: string, options?: PollOptions): Promise<Observed | undefined>;
  /** Finds a deployment by exact name. `serverTime` is the service's time of the response, in milliseconds since the epoch. */
  find(name: string): Promise<{ deployment: Observed | undefined; serverTime: number | undefined }>;
  /**
   * Whether this connection sees any deployment of the tenant. Sends a request only if no response has shown one before, and
   * all calls share it.
   *
   * @param tenantId compared without case; null if unknown: matches every tenant
   */
  seesTenant(tenantId: string | null): Promise<boolean>;
  /** GETs a deployment's own address once. Sends no credentials, follows no redirect and reads no body. Never fails. */
  probe(address: string, signal: AbortSignal): Promise<ProbeResult>;
  /** The address of a revision's log, for display. */
  logAddress(query: LogQuery): string;
  /** The newest 20 lines of a revision's log, the newest last. Sends one request. */
  logTail(query: LogQuery): Promise<string>;
  /** The newest lines of a log while it is written. Best effort: empty while the log of another deployment is fetched. */
  logSoFar(query: LogQuery, signal: AbortSignal): Promise<string>;
}
