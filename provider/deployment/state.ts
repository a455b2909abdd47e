/** What a program declares of a deployment, and what is remembered of it between two runs. */
import type { Deployment } from "../../schema/deployment";
import type { OutputName } from "../../schema/outputs";
import { isObject, isWithin, type Path, textsIn, type unknownValue, type Values } from "../../schema/tree";
import { DeploymentError } from "../errors";
import type { contentKey } from "../internal-inputs";
import { immutableValues } from "./immutable";
import type { SourceContent, Context, Observed } from "./service";

/** The arguments of a deployment as `check` leaves them, with what it found in a declared folder. */
export type CheckedArguments = Deployment & { readonly [contentKey]?: SourceContent };

/** What a program declares, with everything known. */
export interface Declared {
  readonly arguments: CheckedArguments;
  readonly generation: number;
}

/** What a program declares, in a preview: anything may still be unknown. */
export interface Planned {
  readonly arguments: Values;
  /** Undefined for inputs that no check has seen, such as those of an import. */
  readonly generation?: number | typeof unknownValue | undefined;
}

export interface State {
  /**
   * What was declared last, with drift after a refresh; for a deployment that no program declares, what the service has.
   * Empty before the first read.
   */
  readonly arguments: StoredArguments;
  /** Undefined if no program declares the deployment: it was imported, or is only read. */
  readonly generation?: number | undefined;
  readonly observed: Outputs;
  readonly private: PrivateState;
}

/** Only what is read by name has a type: a state may be one of an earlier version. */
export type StoredArguments = Values & {
  readonly name?: string;
  readonly source?: string;
  readonly [contentKey]?: SourceContent;
};

/** The outputs beside the arguments. Missing in a state that never had them. */
export type Outputs = { readonly [name in Exclude<OutputName, "generation">]?: string | null | undefined };

/** Kept under a name that the engine does not show. It is not encrypted, so nothing in it may be secret, digests included. */
export interface PrivateState {
  readonly madeWith?: MadeWith | undefined;
  /** A rollout whose end was not seen. */
  readonly rollout?: Rollout | undefined;
  /** The deployment was imported or adopted, so it may have more than any program has declared. */
  readonly takenOver?: boolean | undefined;
  /** Names of secrets that an imported or adopted deployment has and no program has declared yet. */
  readonly unmanagedSecrets?: readonly string[] | undefined;
  /** What the service had filled in before the import: a program that states it changes nothing. */
  readonly filledIn?: Values | undefined;
  readonly normalizations: readonly Normalization[];
  /** What was chosen at creation, by the program or by the service. */
  readonly immutable: Values;
  /** Path of the archive that this stack uploaded and deployed last. */
  readonly uploaded?: string | undefined;
}

/** The connection that a deployment was made with. */
export interface MadeWith {
  /** Scheme, host and path prefix. */
  readonly address: string;
  readonly tenantId: string | null;
  /** Name of the dialect. */
  readonly dialect: string;
  /** Of the API key of the last write. States of earlier versions have none. */
  readonly keyDigest?: string | undefined;
}

export interface Rollout {
  /** The revision that is to become active; null as long as no response has shown it. */
  readonly revision: string | null;
  /** Revisions from before. A response that lags behind still shows them. */
  readonly previous: readonly string[];
  /** When it began, in ISO 8601. */
  readonly since: string;
}

/** What the service shows for a value that it was sent. */
export interface Normalization {
  readonly path: Path;
  /** Missing, like `shown`, for secrets, which are not compared, and for what no response has shown yet. */
  readonly sent?: unknown;
  /** Undefined if the service shows nothing. */
  readonly shown?: unknown;
  /** Of a secret: the service shows no secret of its name. */
  readonly isMissing?: boolean | undefined;
}

/** The state that an operation leaves behind. */
export function stateOf(
  declared: { readonly arguments: Values; readonly generation?: number | undefined },
  observed: Observed,
  context: Pick<Context, "dialect" | "secretPaths">,
  remembered: Partial<PrivateState> = {},
): State {
  const immutable = immutableValues(observed, context.dialect, remembered.immutable);
  return {
    arguments: declared.arguments,
    generation: declared.generation,
    observed: outputsFrom(observed),
    private: withoutSecretValues({ normalizations: [], ...remembered, immutable }, context.secretPaths),
  };
}

function outputsFrom(observed: Observed): Outputs {
  const { tenantId, status, createdAt, updatedAt, latestRevisionId, latestRevisionStatus } = observed;
  const { activeRevisionId, imageVersion, sourceRevisionConfig, url } = observed;
  const commit = sourceRevisionConfig["repoCommitSha"];
  return {
    ...{ tenantId, status, createdAt, updatedAt, latestRevisionId, latestRevisionStatus },
    ...{ activeRevisionId, imageVersion, repoCommitSha: typeof commit === "string" ? commit : null, url },
  };
}

/** The private state without anything that the program passed as a secret, and without addresses that hold credentials. */
export function withoutSecretValues(
  remembered: PrivateState,
  secretPaths: readonly Path[] = [],
): PrivateState {
  const { immutable, filledIn, normalizations } = remembered;
  return {
    ...remembered,
    immutable: omitSecrets(immutable, secretPaths),
    filledIn: filledIn && omitSecrets(filledIn, secretPaths),
    normalizations: normalizations.map((each) =>
      isSecretly(each, secretPaths) ? withoutValues(each) : each,
    ),
  };
}

function omitSecrets(values: Values, secretPaths: readonly Path[], at: Path = []): Values {
  const entries = Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
    const path = [...at, name];
    if (secretPaths.some((secret) => isWithin(path, secret)) || holdsCredentials(value)) return [];
    return [[name, isObject(value) ? omitSecrets(value, secretPaths, path) : value]];
  });
  return Object.fromEntries(entries);
}

function withoutValues({ path, isMissing }: Normalization): Normalization {
  return { path, ...(isMissing && { isMissing }) };
}

/** The service may show an address with a user or a token in it. */
function holdsCredentials(value: unknown): boolean {
  return textsIn(value).some((text) => /\/\/\S*@/.test(text));
}

/** Whether a normalization is of a secret, or of something that contains one. */
export function isSecretly({ path, sent, shown }: Normalization, secretPaths: readonly Path[] = []): boolean {
  const isSecret = [["secrets"], ...secretPaths].some(
    (secret) => isWithin(path, secret) || isWithin(secret, path),
  );
  return isSecret || holdsCredentials([sent, shown]);
}

/** A deployment as a run tells it from others. */
export function deployedAs(id: string, { createdAt = null }: Outputs | Observed) {
  return { id, createdAt };
}

/** Tells one state of a deployment from its other ones. */
export function versionOf({ arguments: args, generation, observed }: State): string {
  const { createdAt, updatedAt, latestRevisionId, status } = observed;
  return JSON.stringify([args.name, createdAt, updatedAt, generation, latestRevisionId, status]);
}

/** The revisions that a state or a response names. */
export function revisionsIn({ latestRevisionId, activeRevisionId }: Outputs | Observed): string[] {
  const ids = [latestRevisionId, activeRevisionId].filter((id) => id !== null && id !== undefined);
  return [...new Set(ids)];
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
