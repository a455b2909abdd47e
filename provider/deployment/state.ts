/** What is remembered of a deployment between two runs: what was declared, what was observed, and what is unfinished. */
import { deployment as fields } from "../../schema/fields";
import type { Deployment } from "../../schema/deployment";
import type { Dialect } from "../dialects";
import type { ValuePath } from "./drift";
import { immutableValues } from "./immutable";

import type { Observed } from "./service";
import type { Values } from "../values";
import { DeploymentError } from "../errors";

/** A rollout that nobody has seen the end of. */
export interface Rollout {
  /** The revision that is to become active. */
  readonly revision: string | null;
  /** Revisions from before it. */
  readonly previous: readonly string[];
  /** When it began, as an ISO 8601 time. */
  readonly since: string;
}

export interface Wait {
  readonly name: string;
  readonly id: string;
  /** The revision to wait for; null waits for whatever is the latest. */
  readonly revision: string | null;
  /** Revisions from before the call: a response that lags behind shows them, and they are not what is waited for. */
  readonly previous: readonly string[];
  /** Gets every response, so that what was seen last is known whatever happens. */
  readonly seen: (observed: Observed) => void;
}

/** The connection that a deployment was made with. */
export interface MadeWith {
  /** Scheme, host and path prefix. */
  readonly address: string;
  readonly tenantId: string | null;
  readonly dialect: string;
  /** Of the API key that made it or changed it last; a state of an older version does not tell. */
  readonly keyDigest?: string | undefined;
}

export interface Normalized {
  readonly path: ValuePath;
  /** Digest of what was sent. */
  readonly sent: string;
  /** Digest of what the service showed for it; null for a secret that it shows otherwise after every write. */
  readonly taken: string | null;
}

/** Kept under a name that the engine does not show. */
export interface PrivateState {
  readonly version: typeof stateVersion;
  readonly madeWith?: MadeWith;
  readonly rollout?: Rollout;
  /** Secrets from before the deployment was imported or adopted, which no program has declared yet. */
  readonly unmanagedSecrets?: readonly string[];
  /** Parts of objects that the service takes as a whole, from before the import or adoption, which no program declares. */
  readonly undeclared?: readonly ValuePath[];
  /** What the service had filled in before the import: a program that states it changes nothing. */
  readonly filledIn?: Values;
  /** What the service made of what it was sent, and what it shows in place of secrets. */
  readonly normalized?: readonly Normalized[];
  /** What was chosen on creation, by the program or by the service. */
  readonly immutable: Values;
}

/** What check made of the arguments: normalised, the generation computed. */
export type Declared = Deployment & { readonly generation: number };

/** The same in a preview, where any of it may not be known yet. */
export interface Planned extends Values {
  readonly name?: unknown;
  readonly generation?: unknown;
  readonly skipAwait?: unknown;
}

/** What a state holds under a name that is read here. What was imported, only read, or made by hand holds less. */
export interface Stored extends Values {
  readonly name?: string | undefined;
  readonly source?: string | undefined;
  readonly generation?: number | undefined;
  readonly tenantId?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly createdAt?: string | null | undefined;
  readonly updatedAt?: string | null | undefined;
  readonly latestRevisionId?: string | null | undefined;
  readonly activeRevisionId?: string | null | undefined;
  readonly url?: string | null | undefined;
  readonly __private?: Partial<PrivateState> | undefined;
}

/** What an operation writes down. */
export interface State extends Stored {
  readonly __private: PrivateState;
}

const argumentNames = Object.keys(fields);

export function stateOf(
  declared: Values,
  observed: Observed,
  dialect: Dialect,
  { immutable, madeWith, rollout, filledIn, ...more }: Partial<Omit<PrivateState, "version">> = {},
): State {
  return {
    ...declared,
    tenantId: observed.tenantId,
    status: observed.status,
    createdAt: observed.createdAt,
    updatedAt: observed.updatedAt,
    latestRevisionId: observed.latestRevisionId,
    ...(observed.latestRevisionStatus !== undefined && {
      latestRevisionStatus: observed.latestRevisionStatus,
    }),
    activeRevisionId: observed.activeRevisionId,
    imageVersion: observed.imageVersion,
    repoCommitSha: observed.sourceRevisionConfig["repoCommitSha"] ?? null,
    url: (observed.sourceConfig["customUrl"] ?? null) as string | null,
    __private: {
      version: stateVersion,
      ...(madeWith && { madeWith }),
      immutable: immutableValues(observed, dialect, immutable),
      ...(rollout && { rollout }),
      ...(filledIn && { filledIn }),
      ...withoutEmpty(more),
    },
  };
}

function withoutEmpty(lists: Readonly<Record<string, readonly unknown[] | undefined>>): Values {
  return Object.fromEntries(
    Object.entries(lists).filter(([, list]) => list !== undefined && list.length > 0),
  );
}

/** The arguments in a state or in checked inputs, without what was computed and observed. */
export function argumentsIn(values: Values): Values {
  return Object.fromEntries(
    argumentNames.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])),
  );
}

/** Whether a program declares the deployment; one that it only reads was never checked, and is taken as it is. */
export function isDeclared({ generation }: Stored): boolean {
  return generation !== undefined;
}

/** The checked inputs in a state: what the program is compared with from now on. */
export function inputsIn(state: Stored): Values {
  return { ...argumentsIn(state), generation: state.generation };
}

/** All that a state or checked inputs hold beside the arguments. */
export function withoutArguments(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !argumentNames.includes(name)));
}

/** A deployment as a run tells it from others. */
export function deployedAs(id: string, { createdAt = null }: Stored | Observed) {
  return { id, createdAt };
}

/** What tells a state of a deployment from its other ones. */
export function versionOf(state: Stored): string {
  const { name, createdAt, updatedAt, generation, latestRevisionId, status } = state;
  return JSON.stringify([name, createdAt, updatedAt, generation, latestRevisionId, status]);
}

/** The revisions that a state or a response knows of. */
export function revisionsIn({ latestRevisionId, activeRevisionId }: Stored | Observed): string[] {
  const ids = [latestRevisionId, activeRevisionId].filter((id) => id !== null && id !== undefined);
  return [...new Set(ids)];
}

/** Of the private state: raised when an older version of this package would misread what this one writes. */
export const stateVersion = 1;

/** What is remembered; a state that was written by hand or by an import may remember nothing. */
export function privateStateOf({ __private: privateState }: Stored): PrivateState {
  return { version: stateVersion, immutable: {}, ...privateState };
}

/** The service has the deployment, but it is not as it should be yet. The state must be kept. */
export class UnfinishedError extends DeploymentError {
  override readonly name = "UnfinishedError";

  constructor(
    message: string,
    readonly id: string,
    readonly state: State,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
