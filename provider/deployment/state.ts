/** What a program declares for a deployment, and what the state records between runs. */
import type { Deployment } from "../../schema/deployment";
import { deployment as fields } from "../../schema/fields";
import type { OutputName } from "../../schema/outputs";
import { isEqual, isWithin, type Path, type unknownValue, type Values } from "../../schema/tree";
import { DeploymentError } from "../errors";
import { isSameContent } from "./content";
import { contentKey, type SourceContent, type Observed } from "./service";
import type { PrivateState } from "./private-state";

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
  readonly hasUnfinishedRollout?: boolean;
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

/** Only properties that the code reads by name are typed: a state may have been edited. */
export type StoredArguments = Values & {
  readonly name?: string;
  readonly source?: string;
  readonly [contentKey]?: SourceContent;
};

/** The content of a declared folder is stored with the arguments. */
const storedArguments = [...Object.keys(fields), contentKey];

export function pickArguments(stored: Values): Values {
  return pick(stored, storedArguments);
}

export function pick(stored: Values, names: readonly string[]): Values {
  return Object.fromEntries(
    names.flatMap((name) => (stored[name] === undefined ? [] : [[name, stored[name]]])),
  );
}

/** The outputs that are not arguments. A state that was written by hand may lack some. */
export type Outputs = { readonly [name in Exclude<OutputName, "generation">]?: string | null | undefined };

/** Every output, so that the compiler asks for a new one here. */
export function outputsFrom(observed: Observed): Record<keyof Outputs, string | null | undefined> {
  const { repoCommitSha: commit } = observed.sourceRevisionConfig;
  const { deploymentTier: tier } = observed.sourceConfig;
  return {
    tenantId: observed.tenantId,
    status: observed.status,
    createdAt: observed.createdAt,
    updatedAt: observed.updatedAt,
    latestRevisionId: observed.latestRevisionId,
    latestRevisionStatus: observed.latestRevisionStatus,
    activeRevisionId: observed.activeRevisionId,
    imageVersion: observed.imageVersion,
    repoCommitSha: typeof commit === "string" ? commit : null,
    url: observed.url,
    dashboardUrl: observed.dashboardUrl,
    tracerSessionId: observed.tracerSessionId ?? null,
    databaseTier: observed.databaseTier ?? null,
    deploymentTier: typeof tier === "string" ? tier : null,
  };
}

/** Outputs that repeat an argument under another name, and are as secret. */
const copies: Readonly<Record<string, Path>> = {
  url: ["sourceConfig", "customUrl"],
  repoCommitSha: ["sourceRevisionConfig", "repoRef"],
  imageVersion: ["sourceRevisionConfig", "imageUri"],
};

/** @param secretPaths of arguments that the program passed as secrets */
export function isSecretOutput(name: string, secretPaths: readonly Path[] = []): boolean {
  if (name === "secrets" || name === "__private") return true;
  const original = Object.hasOwn(copies, name) ? copies[name] : undefined;
  return original !== undefined && secretPaths.some((path) => isWithin(original, path));
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

/** Compares what is declared. Options and marks say nothing about the service. */
export function isSameDeclaration(one: Planned | State, other: Planned | State): boolean {
  const { sourceDirectory } = other.arguments;
  // A folder that moved is the same one.
  const moved = isSameContent(one.arguments, other.arguments) && { sourceDirectory };
  return one.generation === other.generation && isEqual({ ...one.arguments, ...moved }, other.arguments);
}
