/** What a program declares for a deployment, and what the state records between runs. */
import type { Deployment } from "../../schema/deployment";
import type { OutputName } from "../../schema/outputs";
import {
  asObject,
  isObject,
  isWithin,
  type Path,
  textsIn,
  type unknownValue,
  type Values,
} from "../../schema/tree";
import { DeploymentError } from "../errors";
import type { contentKey } from "../internal-inputs";
import { immutableValues } from "./immutable";
import type { Dialect } from "../dialects";
import type { SourceContent, Observed } from "./service";
import type { Normalization, PrivateState } from "./private-state";

/** The arguments as `check` returns them, with the content of a declared folder. */
export type CheckedArguments = Deployment & { readonly [contentKey]?: SourceContent };

/** What a program declares, when all values are known. */
export interface Declared {
  readonly arguments: CheckedArguments;
  readonly generation: number;
}

/** What a program declares in a preview, when any value may be unknown. */
export interface Planned {
  readonly arguments: Values;
  /** Undefined for inputs without a check, such as those of an import. */
  readonly generation?: number | typeof unknownValue | undefined;
  /** Of old inputs: a revision that `generation` does not count is still to become active. */
  readonly isUncounted?: boolean;
}

export interface State {
  /**
   * The last declared arguments, including drift after a refresh. For a deployment that no program declares, the service's values;
   * empty before the first read.
   */
  readonly arguments: StoredArguments;
  /** Undefined if no program declares the deployment: it was imported, or is only read. */
  readonly generation?: number | undefined;
  readonly observed: Outputs;
  readonly private: PrivateState;
}

/** Only properties that the code reads by name are typed, because earlier versions may have written the state. */
export type StoredArguments = Values & {
  readonly name?: string;
  readonly source?: string;
  readonly [contentKey]?: SourceContent;
};

/** The outputs that are not arguments. States of earlier versions may lack some. */
export type Outputs = { readonly [name in Exclude<OutputName, "generation">]?: string | null | undefined };

/** The state after an operation. */
export function stateOf(
  declared: { readonly arguments: Values; readonly generation?: number | undefined },
  observed: Observed,
  context: { readonly dialect: Dialect; readonly secretPaths?: readonly Path[] | undefined },
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
  const { activeRevisionId, imageVersion, sourceRevisionConfig, url, dashboardUrl } = observed;
  const commit = sourceRevisionConfig["repoCommitSha"];
  return {
    ...{ tenantId, status, createdAt, updatedAt, latestRevisionId, latestRevisionStatus },
    ...{ activeRevisionId, imageVersion, repoCommitSha: typeof commit === "string" ? commit : null },
    ...{ url, dashboardUrl },
  };
}

/** Removes values that the program passed as secrets, and addresses with credentials, from the private state. */
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

/** Whether a value contains an address with a user or a token. */
function holdsCredentials(value: unknown): boolean {
  return textsIn(value).some((text) => /\/\/\S*@/.test(text));
}

/** Whether a normalization concerns a secret, or a value that contains one. */
export function isSecretly({ path, sent, shown }: Normalization, secretPaths: readonly Path[] = []): boolean {
  const isSecret = [["secrets"], ...secretPaths].some(
    (secret) => isWithin(path, secret) || isWithin(secret, path),
  );
  return isSecret || holdsCredentials([sent, shown]);
}

/** Names of the secrets of an imported or adopted deployment that remain undeclared. */
export function unmanagedAfter({ private: { unmanagedSecrets = [] } }: State, declared: Values): string[] {
  const secrets = asObject(declared["secrets"]);
  return unmanagedSecrets.filter((name) => !Object.hasOwn(secrets, name));
}

/** What identifies a deployment in a run. */
export function deployedAs(id: string, { createdAt = null }: Outputs | Observed) {
  return { id, createdAt };
}

/** Distinguishes the states of one deployment. */
export function versionOf({ arguments: args, generation, observed }: State): string {
  const { createdAt, updatedAt, latestRevisionId, status } = observed;
  return JSON.stringify([args.name, createdAt, updatedAt, generation, latestRevisionId, status]);
}

/** The latest and the active revision in a state or response. */
export function revisionsIn({ latestRevisionId, activeRevisionId }: Outputs | Observed): string[] {
  const ids = [latestRevisionId, activeRevisionId].filter((id) => id !== null && id !== undefined);
  return [...new Set(ids)];
}

/** The deployment exists, but the operation did not finish. The state must be kept. */
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
