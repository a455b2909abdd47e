import type { Deployment } from "../../schema/deployment";
import type { Path, Values } from "../../schema/tree";
import type { Clock } from "../clock";
import type { Dialect } from "../dialects";
import type { Limits } from "../limits";
import type { Claimant, RunClaims } from "./claims";

/** A deployment as the service answered it, in the arguments' words; `null` is the service's "not set". */
export interface Observed {
  readonly id: string;
  /** Empty where the service made the deployment without one. */
  readonly name: string;
  readonly source: string;
  readonly sourceConfig: Values;
  readonly sourceRevisionConfig: Values;
  /** By name; undefined where the response does not mention them. A value may be hidden. */
  readonly secrets: { readonly [name: string]: string | null } | undefined;
  readonly secretReferences: Values | undefined;
  readonly tenantId: string | null;
  readonly status: string;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly latestRevisionId: string | null;
  /** Undefined where the service was not asked, or does not tell. */
  readonly latestRevisionStatus?: string | null | undefined;
  /** Why the latest revision failed, in the service's words, if it gave a reason. */
  readonly latestRevisionReason?: string | undefined;
  readonly activeRevisionId: string | null;
  readonly imageVersion: string | null;
  /** The address it answers on, wherever the service shows it. */
  readonly url: string | null;
}

/** One revision of a deployment, on a service that tells of them. */
export interface Revision {
  readonly id: string;
  /** In the service's words. */
  readonly status: string;
  /** Why it failed, in the service's words, if it gave a reason. */
  readonly reason: string | undefined;
  /** ISO 8601. */
  readonly createdAt: string | null;
  readonly sourceRevisionConfig: Values;
}

export function isDeleting({ status }: Observed): boolean {
  return status === "AWAITING_DELETE" || status === "AWAITING_FINAL_DELETE";
}

/** What a PATCH is to change: a key that is there changes, `null` takes the value away. */
export interface Patch {
  readonly sourceConfig?: Values;
  readonly sourceRevisionConfig?: Values;
  readonly revisionSource?: string;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly secretReferences?: Values | null;
}

/** What a folder of source code holds. The order of files, their times and their owners say nothing. */
export interface SourceContent {
  /** Differs where the paths, the bytes or the executable bits of the files do, or the place of the configuration. */
  readonly digest: string;
  /** How many files there are. */
  readonly count: number;
  /** A short digest of each file by its path, to name those that changed; only of folders with few files. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Source code as it is uploaded. */
export interface Archive {
  readonly content: SourceContent;
  /** The graph configuration, relative to the archive's root. */
  readonly configPath: string;
  /** Bytes. */
  readonly size: number;
  /** Its bytes from the beginning; may be read more than once. */
  read(): AsyncIterable<Uint8Array>;
}

/** The folder of a deployment's source code, during one operation. */
export interface SourceFolder {
  /** Archives the folder as it is at the first call. Throws if it cannot be read, or is too large. */
  archive(): Promise<Archive>;
}

export interface PollOptions {
  /** Aborted when nobody waits for the response any more. */
  readonly signal?: AbortSignal;
  /** Whether it is the end of a deletion, which the service has accepted, that is waited for. */
  readonly isDeleted?: boolean;
}

/** What a deployment answered to a request, or why it did not. */
export type ProbeResult =
  | { readonly status: number }
  /** Completes "the last request …": `could not reach the address (ECONNREFUSED)`. */
  | { readonly problem: string };

export interface LogLine {
  /** ISO 8601, as the service says it. */
  readonly timestamp: string | undefined;
  readonly level: string | undefined;
  readonly message: string;
}

export interface LogQuery {
  readonly id: string;
  readonly revisionId: string;
  /** The kind of log, in the service's words: `build` or `deploy`. */
  readonly type: string;
}

/** The service, as what decides sees it. All of its waits end where the operation does. */
export interface Service {
  /** The same for what became of something that was sent: a little more time, whether or not there is any left. */
  overtime(): Service;
  create(deployment: Deployment): Promise<Observed>;
  /** Not repeated after an ambiguous response when it makes a revision. */
  update(id: string, patch: Patch, options: { readonly makesRevision: boolean }): Promise<Observed>;
  /**
   * Uploads source code for a deployment; nothing is rolled out by that.
   *
   * @returns the path that a revision names it by
   */
  upload(id: string, archive: Archive): Promise<string>;
  /**
   * "Not found" is an ambiguous error (`isAmbiguous`) where a try before it may have deleted the deployment.
   *
   * @param declared the arguments, some of which may be about the deletion
   * @param tenantId the deployment's, where it is known
   */
  delete(id: string, declared: Values, tenantId?: string | null): Promise<void>;
  /** Shares its requests with everything else that reads at the time. Undefined: there is none. */
  read(id: string): Promise<Observed | undefined>;
  /** The next shared poll of the deployments that something waits for. Undefined: there is none. */
  poll(id: string, options?: PollOptions): Promise<Observed | undefined>;
  /** With the service's own time of the response, in milliseconds since the epoch. */
  find(name: string): Promise<{ deployment: Observed | undefined; serverTime: number | undefined }>;
  /**
   * Whether the service shows this connection any deployment of the tenant. No request where a response has shown one before;
   * else one for the list, shared by whoever asks within seconds.
   *
   * @param tenantId without letter case; null, where it is not known, fits every tenant
   */
  seesTenant(tenantId: string | null): Promise<boolean>;
  /**
   * The revisions of a deployment, the newest first and at most 100. Best effort: undefined while those of another deployment
   * are asked for, and waits are not reported.
   *
   * @param signal aborted when nobody wants to know any more
   */
  revisionsSoFar(id: string, signal: AbortSignal): Promise<readonly Revision[] | undefined>;
  /**
   * One GET of an address of a deployment's own. It carries no credentials, follows no redirect and reads no body. Never fails.
   *
   * @param signal aborted when nobody waits for the answer any more
   */
  probe(address: string, signal: AbortSignal): Promise<ProbeResult>;
  /** Where a person reads a revision's log. */
  logAddress(query: LogQuery): string;
  /** The newest lines of a revision's log, the newest last; of one request. */
  logTail(query: LogQuery, count: number): Promise<string>;
  /**
   * The same of a log that is still written to. Best effort: empty while the log of another deployment is asked for, and
   * waits are not reported.
   *
   * @param signal aborted when nobody wants to see it any more
   */
  logSoFar(query: LogQuery, count: number, signal: AbortSignal): Promise<string>;
}

/** What tells the user how it goes. Never fails. */
export interface Log {
  info(message: string): void;
  warning(message: string): void;
  /** A message that the next one replaces. */
  progress(message: string): void;
}

/** The settings of a connection that decide which deployments are its own. */
export interface Connected {
  /** Scheme, host and path prefix. */
  readonly address: string;
  /** The tenant that the connection is set to, if it is. */
  readonly tenantId?: string | undefined;
  readonly dialect: Dialect;
  /** Tells the API key from others. */
  readonly keyDigest?: string | undefined;
}

/** What an operation works with; what was sent is not taken back at its limits. */
export interface Context extends Connected, Limits {
  readonly service: Service;
  /** What this run of the engine has done so far. */
  readonly run: RunClaims;
  /** URN of the resource, where it is known. */
  readonly resource?: string | undefined;
  /** Paths of arguments that the program passed as secrets. */
  readonly secretPaths?: readonly Path[] | undefined;
  /** The resource option of that name: paths of arguments that others may change. */
  readonly ignoreChanges?: readonly string[] | undefined;
  /** Of a deployment that declares one, where the service takes uploads. */
  readonly sourceFolder?: SourceFolder | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** How many lines of a failed revision's log its error ends with; with 0 no log is asked for. */
  readonly logLines: number;
}

/** Where the operation's deployment is, or is to be. */
export function claimantOf(context: Context, values: Values): Claimant {
  return {
    resource: resourceOf(context, values),
    address: context.address,
    name: String(values["name"]),
  };
}

/** The resource that an operation is for: its URN, or its name where that is not known. */
export function resourceOf({ resource }: Context, values: Values): string {
  return resource ?? String(values["name"]);
}
