/** Integrations, repositories and listeners, and the listeners that a deployment which must name one can choose from. */
import type { RepositoryHost } from "../../schema/filters";
import { WireIntegrations, WireListeners, WireRepositories } from "../../schema/wire";
import type { Integration, Listener, Repository } from "../lookup/repository";
import { dialectsWith, type Dialect } from "../dialects";
import { ControlPlaneError, DeploymentError } from "../errors";
import { settingNamed } from "../settings/table";
import { sanitize } from "../text/sanitize";
import type { Send } from "./http";
import { pageSize } from "./pagination";
import { fetchParsed, pathTo } from "./parse";

/** What the service lists besides deployments. Throws in a dialect without that list. */
export class Listings {
  /** @param serviceReposPath path of the second repository listing, if the dialect does not define it */
  constructor(
    private readonly send: Send,
    private readonly dialect: Dialect,
    private readonly serviceReposPath?: string,
  ) {}

  async integrations(): Promise<Integration[]> {
    const path = this.#path("codehostIntegrations", "integrations");
    const wire = await fetchParsed(this.send, WireIntegrations, { path });
    return wire.map(({ id, name, installation_id }) => ({ id, name, installationId: installation_id }));
  }

  async listeners(): Promise<Listener[]> {
    const request = { path: this.#path("listeners", "listeners"), query: { limit: String(pageSize) } };
    const { resources } = await fetchParsed(this.send, WireListeners, request);
    return resources.map(({ id, compute_id, compute_config }) => ({
      id,
      computeId: compute_id,
      namespaces: compute_config?.k8s_namespaces ?? [],
    }));
  }

  /** Specification, sections 4.1 and 4.2. */
  async repositories(integrationId: string, host: RepositoryHost): Promise<Repository[]> {
    const { paths, name } = this.dialect;
    const own = this.serviceReposPath ?? paths.serviceRepositories;
    const template = host === "codehost" ? paths.codehostRepositories : own;
    if (template === undefined) {
      throw new DeploymentError(
        `dialect ${name} does not define the path of the service's own repository listing: set ` +
          `${settingNamed("serviceReposPath")} to a path that contains {integration_id}`,
      );
    }
    const path = pathTo(template, { integration_id: integrationId });
    const wire = await fetchParsed(this.send, WireRepositories, { path });
    return wire.map(({ host_integration_id, id, name, owner, url, default_branch }) => {
      return { hostIntegrationId: host_integration_id, id, name, owner, url, defaultBranch: default_branch };
    });
  }

  #path(listing: "codehostIntegrations" | "listeners", what: string): string {
    const { paths, name } = this.dialect;
    const path = paths[listing];
    if (path !== undefined) return path;
    throw new DeploymentError(
      `a service of dialect ${name} does not list its ${what}: ask whoever set them up for their ids. If the service uses ` +
        `dialect ${dialectsWith(listing).join(" or ")}, set ${settingNamed("dialect")}`,
    );
  }
}

/** Whether the service refused a deployment because it names no listener. */
export function isRefusedForMissingListener(error: unknown, { advice }: Dialect): error is ControlPlaneError {
  if (!(error instanceof ControlPlaneError) || error.advice === undefined) return false;
  return advice.some(({ text, choices }) => choices === "listeners" && text === error.advice);
}

/** The error with the listeners to choose from. */
export function withChoices(error: ControlPlaneError, listeners: readonly Listener[]): ControlPlaneError {
  const choices = listeners.map(({ id, computeId, namespaces }) =>
    sanitize(`${id} (${computeId}: ${namespaces.join(", ") || "no namespaces"})`),
  );
  const list = choices.length === 0 ? "" : ` To choose from: ${choices.join("; ")}.`;
  return error.with({ advice: `${error.advice}${list}` });
}
