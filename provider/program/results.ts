/** What lookups take and return. */
import type * as pulumi from "@pulumi/pulumi";
import type {
  DeploymentType,
  SecretReference,
  Source,
  SourceConfig,
  SourceRevisionConfig,
} from "./arguments";
import type { DeploymentStatus, ObservedOutputs } from "./outputs";

/** By id, or by exact name. */
export type GetDeploymentArgs = { id: string; name?: undefined } | { name: string; id?: undefined };

/** Filters for a list of deployments. Without filters, all are listed. */
export interface ListDeploymentsArgs {
  /** Only deployments whose names contain this text. */
  nameContains?: string | undefined;
  /** Only deployments with this status, for example `READY`. */
  status?: DeploymentStatus | undefined;
  /** Only deployments that are, or are not, reconciled remotely. */
  remoteReconciled?: boolean | undefined;
  /** Only deployments with one of these tag values. */
  tagValueIds?: string[] | undefined;
  /** Only deployments with this image version. */
  imageVersion?: string | undefined;
  /** Only deployments of this tier. */
  deploymentType?: DeploymentType | undefined;
  /** Only deployments with these ids (UUIDs). More than 100 ids take several requests. */
  deploymentIds?: string[] | undefined;
}

export interface ListRepositoriesArgs {
  /** Id (UUID) of the integration. */
  integrationId: string;
  /** A code host's integration (default), or the service's own. */
  host?: "codehost" | "service" | undefined;
}

/** Arguments of which each may be an output. */
export type InputsOf<T> = T extends unknown
  ? { [K in keyof T]: pulumi.Input<T[K] extends (infer U)[] | undefined ? pulumi.Input<U>[] : T[K]> }
  : never;

type ValuesOf<T> = { -readonly [K in keyof T]: T[K] extends pulumi.Output<infer V> ? V : never };

/** A deployment as a lookup returns it. Fields that are not set on the service are left out of the configurations. */
export interface DeploymentResult extends ValuesOf<
  Omit<ObservedOutputs, "generation" | "latestRevisionStatus">
> {
  /** UUID. */
  id: string;
  /** Empty if the service created the deployment without a name. */
  name: string;
  /** Where the deployment comes from. */
  source: Source;
  /** Settings of the source. */
  sourceConfig: pulumi.Unwrap<SourceConfig>;
  /** From the newest revision. */
  sourceRevisionConfig: pulumi.Unwrap<SourceRevisionConfig>;
  /** Name to value, in plain text. A value is null if the service does not return it. */
  secrets: Record<string, string | null>;
  /** Environment from secrets of the cluster. */
  secretReferences: Record<string, pulumi.Unwrap<SecretReference>>;
  /** Name that the service's dashboard shows, if there is one. */
  displayName?: string;
  /** Whether it can be shared with users outside the organization, if the service says so. */
  shareable?: boolean;
}

/** A result whose secrets are a secret output, and so is each credential in a container, while everything else stays in plain text. */
export type WithSecretOutputs = Omit<DeploymentResult, "secrets" | "sourceConfig"> & {
  secrets: pulumi.Output<DeploymentResult["secrets"]>;
  sourceConfig: Omit<DeploymentResult["sourceConfig"], "resourceSpec"> & Pick<SourceConfig, "resourceSpec">;
};

/**
 * A list that can be awaited as an array, or iterated with `for await`, which fetches only the pages that are read.
 * It extends Promise, so that `pulumi.output` and `Promise.all` accept it.
 */
export class LazyList<T> extends Promise<T[]> implements AsyncIterable<T> {
  readonly #open: () => AsyncIterable<T>;
  #all: Promise<T[]> | undefined;

  constructor(open: () => AsyncIterable<T>) {
    super(() => {});
    this.#open = open;
  }

  /** `then` returns an ordinary promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  override then<A = T[], B = never>(
    fulfilled?: ((all: T[]) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#all ??= this.#collect();
    return this.#all.then(fulfilled, rejected);
  }

  [Symbol.asyncIterator](): AsyncIterator<T> {
    return this.#open()[Symbol.asyncIterator]();
  }

  async #collect(): Promise<T[]> {
    const all: T[] = [];
    for await (const item of this.#open()) all.push(item);
    return all;
  }
}
