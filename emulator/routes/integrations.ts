import type { Host } from "../state/control-plane";
import { notFound, type Handler } from "./call";

export const listRepositories =
  (host: Host): Handler =>
  ({ plane, params }) => {
    const id = params["integration_id"] ?? "";
    const repositories = plane.repositories[host][id.toLowerCase()];
    if (repositories === undefined) throw notFound(plane, "Integration", id);
    return { status: 200, body: structuredClone(repositories) };
  };

/** The integrations that have repositories. */
export const listIntegrations =
  (host: Host): Handler =>
  ({ plane }) => ({
    status: 200,
    body: Object.entries(plane.repositories[host]).map(([id, repositories], index) => ({
      id,
      installation_id: index + 1,
      name: repositories[0]?.["owner"] ?? "",
    })),
  });
