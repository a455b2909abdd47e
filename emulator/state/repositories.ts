/** The repositories that an integration gives access to. Specification, section 2.1. */
import type { JsonObject } from "../json";
import { object, required } from "../rules/fields";
import type { Shape } from "../shape";
import type { ControlPlane, Host } from "./control-plane";

const text: Shape = { kind: "string" };

/** As much as somebody has to say of them. */
export const repositoriesShape: Shape = {
  kind: "list",
  of: object({
    owner: required(text),
    name: required(text),
    url: required(text),
    default_branch: text,
    id: { kind: "number", integer: true },
    host_integration_id: { kind: "uuid" },
  }),
};

/** What was not said of them is made up, as the service has all of it. */
export function setRepositories(
  plane: ControlPlane,
  host: Host,
  integrationId: string,
  repositories: readonly JsonObject[],
): void {
  const listed = repositories.map((repository, index) => ({
    host_integration_id: integrationId,
    id: index + 1,
    default_branch: "main",
    ...structuredClone(repository),
  }));
  plane.repositories[host].set(integrationId.toLowerCase(), listed);
}
