/** What a list of deployments can be narrowed by: specification, section 4.3. On the wire in snake_case, lists with commas. */
import { z } from "zod";
import { deploymentTypes } from "./enums";

const text = z.string();
/** A comma would make two of one. */
const id = text.regex(/^[^,\s]+$/, "expected an id");

/** One row per filter: arguments, flags of the command line and documentation read it. */
export const filterFields = {
  nameContains: text.describe("Only those whose name contains this."),
  status: text.describe("Only those of this status: READY, say."),
  remoteReconciled: z.boolean().describe("Only those that are, or are not, reconciled with the remote side."),
  tagValueIds: z.array(id).describe("Only those that carry one of these tag values."),
  imageVersion: text.describe("Only those of this image version."),
  deploymentType: z.enum(deploymentTypes).describe("Only those of this tier."),
  deploymentIds: z.array(z.guid()).describe("Only those of these ids (UUIDs)."),
};

export const DeploymentFilters = z.strictObject(filterFields).partial();
export type DeploymentFilters = z.infer<typeof DeploymentFilters>;

export const RepositoryHost = z.enum(["codehost", "service"]);
/** Where repositories are listed: at a code host, or through the integration of the service itself. */
export type RepositoryHost = z.infer<typeof RepositoryHost>;

/** What repositories are listed of. */
export const RepositoryFilters = z.strictObject({
  integrationId: z.guid().describe("Id (UUID) of the integration."),
  host: RepositoryHost.optional().describe(
    "`codehost` for a code host's integration, `service` for the service's own. Default: `codehost`.",
  ),
});

/** What ids of deployments and integrations are. */
export function isUuid(text: string): boolean {
  return z.guid().safeParse(text).success;
}
