/** What is remembered of a deployment between two runs: what was declared, what was observed, and what is unfinished. */
import type { z } from "zod";
import { deployment as fields } from "../../schema/fields";
import type { Deployment } from "../../schema/deployment";
import type { Dialect } from "../dialects";
import { immutableValues } from "./immutable";
import type { madeWithShape, normalizedShape, privateShape, rolloutShape, storedShape } from "./parse-state";
import type { Content, Observed } from "./service";
import { isObject, textsIn, type Values } from "../../schema/tree";
import { DeploymentError } from "../errors";
import { contentKey, contextOf } from "../internal-inputs";

/** A rollout that nobody has seen the end of. */
export type Rollout = z.infer<typeof rolloutShape>;

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
export type MadeWith = z.infer<typeof madeWithShape>;

/** What the service shows for what it was sent. */
export type Normalized = z.infer<typeof normalizedShape>;

type StoredPrivately = z.infer<typeof privateShape>;

/** Kept under a name that the engine does not show. It is not encrypted: nothing in it may be secret, digests included. */
export type PrivateState = Omit<StoredPrivately, "undeclared" | "normalized"> &
  Required<Pick<StoredPrivately, "version" | "immutable">>;

/** What check made of the arguments: normalised, the generation computed. */
export type Declared = Deployment & { readonly generation: number; readonly [contentKey]?: Content };

/** The same in a preview, where any of it may not be known yet. */
export interface Planned extends Values {
  readonly name?: unknown;
  readonly generation?: unknown;
  readonly ready?: unknown;
  readonly skipAwait?: unknown;
}

/** What a state holds under a name that is read here. What was imported, only read, or made by hand holds less. */
export type Stored = Values & z.infer<typeof storedShape>;

/** What an operation writes down. */
export interface State extends Stored {
  readonly __private: PrivateState;
}

/** What is found in a folder that is declared counts as declared. */
const argumentNames = [...Object.keys(fields), contentKey];

export function stateOf(
  declared: Values,
  observed: Observed,
  dialect: Dialect,
  { immutable, ...more }: Partial<Omit<PrivateState, "version">> = {},
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
    url: observed.url,
    __private: inClear(declared, { ...more, immutable: immutableValues(observed, dialect, immutable) }),
  };
}

/** The private state without what the program has passed as a secret, what holds credentials, and what says nothing. */
export function inClear(declared: Values, privateState: Omit<PrivateState, "version">): PrivateState {
  const { secretPaths } = contextOf(declared);
  const {
    madeWith,
    rollout,
    takenOver,
    unmanagedSecrets = [],
    normalizations = [],
    filledIn,
    uploaded,
  } = privateState;
  return {
    version: stateVersion,
    ...(madeWith && { madeWith }),
    immutable: withoutSecrets(privateState.immutable, secretPaths),
    ...(rollout && { rollout }),
    ...(takenOver && { takenOver }),
    ...(unmanagedSecrets.length > 0 && { unmanagedSecrets }),
    ...(uploaded !== undefined && { uploaded }),
    ...(filledIn && { filledIn: withoutSecrets(filledIn, secretPaths) }),
    ...(normalizations.length > 0 && {
      normalizations: normalizations.map((each) =>
        isSecretly(each, secretPaths) ? withoutValues(each) : each,
      ),
    }),
  };
}

function withoutSecrets(values: Values, secretPaths: readonly string[] = [], at = ""): Values {
  const entries = Object.entries(values)
    .filter(([name, value]) => !secretPaths.includes(at + name) && !holdsCredentials(value))
    .map(([name, value]): [string, unknown] => [
      name,
      isObject(value) ? withoutSecrets(value, secretPaths, `${at}${name}.`) : value,
    ]);
  return Object.fromEntries(entries);
}

function withoutValues({ path, isMissing }: Normalized): Normalized {
  return { path, ...(isMissing && { isMissing }) };
}

/** The service may show an address with a user or a token in it. */
function holdsCredentials(value: unknown): boolean {
  return textsIn(value).some((text) => /\/\/\S*@/.test(text));
}

/** Whether a normalization is of a secret, or of something with one in it. */
export function isSecretly({ path, sent, shown }: Normalized, secretPaths: readonly string[] = []): boolean {
  const place = `${path.join(".")}.`;
  const isAt = (each: string) => place.startsWith(`${each}.`) || `${each}.`.startsWith(place);
  return isAt("secrets") || secretPaths.some(isAt) || holdsCredentials([sent, shown]);
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
export function privateStateOf({ __private: privateState = {} }: Stored): PrivateState {
  const { undeclared = [], normalized = [], ...rest } = privateState;
  const { takenOver = undeclared.length + (rest.unmanagedSecrets?.length ?? 0) > 0 } = rest;
  const normalizations = [...(rest.normalizations ?? []), ...normalized.map(({ path }) => ({ path }))];
  return { version: stateVersion, immutable: {}, ...rest, ...(takenOver && { takenOver }), normalizations };
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
