/** Repositories that an integration gives access to, and the arguments they provide. */
import { DeploymentError } from "../errors";

/** A code-host integration of the tenant. */
export interface Integration {
  /** UUID; a deployment's `sourceConfig.integrationId`. */
  readonly id: string;
  /** The account at the code host. */
  readonly name: string;
  /** Number of the installation at the code host. */
  readonly installationId: number;
}

/** A listener, which runs images on the customer's own cluster. */
export interface Listener {
  /** UUID; a deployment's `sourceConfig.listenerId`. */
  readonly id: string;
  /** The name of the cluster that it runs in. */
  readonly computeId: string;
  /** Values for a deployment's `sourceConfig.listenerConfig.k8sNamespace`. */
  readonly namespaces: readonly string[];
}

/** A repository of a code-host integration. */
export interface Repository {
  /** Id (UUID) of the integration; a deployment's `sourceConfig.integrationId`. */
  readonly hostIntegrationId: string;
  readonly id: number;
  readonly name: string;
  readonly owner: string;
  /** A deployment's `sourceConfig.repoUrl`. */
  readonly url: string;
  /** A deployment's `sourceRevisionConfig.repoRef`. */
  readonly defaultBranch: string;
}

/**
 * The part of a deployment's arguments that a repository provides: its address and its default branch.
 *
 * @example
 * ```ts
 * const repository = fromRepository(found);
 * new Deployment("chat", {
 *   source: "codehost",
 *   sourceConfig: { ...repository.sourceConfig, buildOnPush: true },
 *   sourceRevisionConfig: { ...repository.sourceRevisionConfig, graphConfigPath: "graph.json" },
 * });
 * ```
 */
export function fromRepository<
  // Loose types, so that a repository that is an output works too: its fields are outputs then.
  R extends { hostIntegrationId: unknown; url: unknown; defaultBranch: unknown },
>(
  repository: R,
): {
  sourceConfig: { integrationId: R["hostIntegrationId"]; repoUrl: R["url"] };
  sourceRevisionConfig: { repoRef: R["defaultBranch"] };
} {
  // A lookup by name may have found nothing.
  if (typeof repository !== "object" || (repository as unknown) === null) {
    throw new DeploymentError(
      "fromRepository expects a repository, such as one returned by listRepositories",
    );
  }
  const { hostIntegrationId, url, defaultBranch } = repository;
  return {
    sourceConfig: { integrationId: hostIntegrationId, repoUrl: url },
    sourceRevisionConfig: { repoRef: defaultBranch },
  };
}
