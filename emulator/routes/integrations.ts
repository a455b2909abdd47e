import { timestamp } from "../state/service-clock";
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

/** Each with its namespaces; everything else about them is made up. */
export const listListeners: Handler = ({ plane, query: { limit, offset } }) => {
  const resources = Object.entries(plane.listeners).map(([id, k8s_namespaces], index) => ({
    ...{ id, compute_type: "k8s", compute_id: `cluster-${index + 1}` },
    compute_config: { k8s_namespaces: [...k8s_namespaces] },
    ...{ created_at: timestamp(0), updated_at: timestamp(0) },
  }));
  const page = resources.slice(offset, offset + limit);
  return { status: 200, body: { resources: page, offset: offset + page.length } };
};

/** The integrations that have repositories. */
export const listIntegrations: Handler = ({ plane }) => ({
  status: 200,
  body: Object.entries(plane.repositories.codehost).map(([id, repositories], index) => ({
    id,
    installation_id: index + 1,
    name: repositories[0]?.["owner"] ?? "",
  })),
});
