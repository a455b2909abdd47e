/** What a program declares for a deployment, and what the state records between runs. */
import type { Deployment } from "../../schema/deployment";
import { type OutputName, outputNames } from "../../schema/outputs";
import type { unknownValue, Values } from "../../schema/tree";
import { DeploymentError } from "../errors";
import type { contentKey, Observed, SourceContent } from "./service";
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

/** The outputs that are not arguments. A state that was written by hand may lack some. */
export type Outputs = { readonly [name in Exclude<OutputName, "generation">]?: string | null | undefined };

/** Only the status of the latest revision may be undefined: a service need not report it. */
export function outputsFrom(observed: Observed): Outputs {
  const { latestRevisionStatus, sourceConfig, sourceRevisionConfig } = observed;
  const all: Values = { ...sourceConfig, ...sourceRevisionConfig, ...observed };
  const texts = outputNames.map((name) => [name, typeof all[name] === "string" ? all[name] : null]);
  const { generation: _, ...outputs } = Object.fromEntries(texts) as Outputs & { generation: unknown };
  return { ...outputs, latestRevisionStatus };
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
