import type { Deployment } from "../../schema/deployment";
import type { Values } from "./values";

/** A deployment as the service answered it, in the arguments' words; `null` is the service's "not set". */
export interface Observed {
  readonly id: string;
  readonly name: string | null;
  readonly source: string;
  readonly sourceConfig: Values;
  readonly sourceRevisionConfig: Values;
  /** By name; undefined where the answer does not mention them. A value may be hidden. */
  readonly secrets: { readonly [name: string]: string | null } | undefined;
  readonly secretReferences: Values | undefined;
  readonly tenantId: string | null;
  readonly status: string;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly latestRevisionId: string | null;
  /** Undefined where the service was not asked, or does not tell. */
  readonly latestRevisionStatus?: string | null | undefined;
  readonly activeRevisionId: string | null;
  readonly imageVersion: string | null;
}

/** What a PATCH is to change: a key that is there changes, `null` takes the value away. */
export interface Patch {
  readonly sourceConfig?: Values;
  readonly sourceRevisionConfig?: Values;
  readonly revisionSource?: string;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly secretReferences?: Values | null;
}

/** The service, as what decides sees it. */
export interface Service {
  create(deployment: Deployment): Promise<Observed>;
  /** Not repeated after a doubtful answer when it makes a revision. */
  update(id: string, patch: Patch, options: { readonly makesRevision: boolean }): Promise<Observed>;
  /** @param declared the arguments, some of which may be about the deletion */
  delete(id: string, declared: Values): Promise<void>;
  /** Shares its requests with everything else that reads at the time. Undefined: there is none. */
  read(id: string): Promise<Observed | undefined>;
  /** The next shared look at deployments that something waits for, until the signal says that it does no more. */
  look(id: string, signal?: AbortSignal): Promise<Observed | undefined>;
  /** With the service's own time of the answer, in milliseconds since the epoch. */
  find(name: string): Promise<{ deployment: Observed | undefined; serverTime: number | undefined }>;
  /** Where a person reads why a revision came to this status; undefined where the service has no such place. */
  logAddress(id: string, revisionId: string, status: string): string | undefined;
}
