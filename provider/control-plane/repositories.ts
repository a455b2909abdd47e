/** The repositories of an integration. Specification, sections 4.1 and 4.2. */
import type { RepositoryHost } from "../../schema/filters";
import type { WireRepositories } from "../../schema/wire";
import type { Repository } from "../deployment/repository";
import { DeploymentError } from "../errors";
import type { Dialect } from "../dialects";
import { settingNamed } from "../settings";
import { pathTo } from "./path";

/** The path of a listing; where the dialect does not know it, the settings have to. */
export function repositoriesPath(
  { paths, name }: Dialect,
  host: RepositoryHost,
  integrationId: string,
  configured: string | undefined,
): string {
  const path = host === "codehost" ? paths.codehostRepositories : (configured ?? paths.serviceRepositories);
  if (path === undefined) {
    throw new DeploymentError(
      `the path of the service's own repository listing is not known for the dialect ${name}: set ` +
        `${settingNamed("serviceReposPath")} to a path with {integration_id} in it`,
    );
  }
  return pathTo(path, { integration_id: integrationId });
}

export function repositoriesFrom(wire: WireRepositories): Repository[] {
  return wire.map(({ host_integration_id, id, name, owner, url, default_branch }) => ({
    hostIntegrationId: host_integration_id,
    id,
    name,
    owner,
    url,
    defaultBranch: default_branch,
  }));
}
