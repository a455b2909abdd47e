import { fill } from "../json";
import { Refusal } from "../refusal";
import type { Host } from "../state/control-plane";
import type { Handler } from "./handler";

const listRepositories =
  (host: Host): Handler =>
  ({ plane, params }) => {
    const id = params["integration_id"] ?? "";
    const repositories = plane.repositories[host].get(id.toLowerCase());
    if (repositories === undefined)
      throw new Refusal(404, fill(plane.rules.texts.integrationNotFound, { id }));
    return { status: 200, body: structuredClone(repositories) };
  };

export const listCodehostRepositories = listRepositories("codehost");
export const listServiceRepositories = listRepositories("service");

/** The installations whose repositories the emulator was told. */
const listIntegrations =
  (host: Host): Handler =>
  ({ plane }) => ({
    status: 200,
    body: [...plane.repositories[host]].map(([id, repositories], index) => ({
      id,
      installation_id: index + 1,
      name: repositories[0]?.["owner"] ?? "",
    })),
  });

export const listCodehostIntegrations = listIntegrations("codehost");
export const listServiceIntegrations = listIntegrations("service");
