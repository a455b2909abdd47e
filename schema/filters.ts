/** The filters of a list of deployments (specification, section 4.3). On the wire: snake_case, lists with commas. */
import { z } from "zod";
import { deploymentTypes } from "./enums";

const text = z.string();
/** A comma would split the id in two. */
const id = text.regex(/^[^,\s]+$/, "expected an id");

/** One row per filter, for arguments, command line flags and documentation. */
export const filterFields = {
  nameContains: text.describe("Only deployments whose names contain this text."),
  status: text.describe("Only deployments with this status, such as READY."),
  remoteReconciled: z.boolean().describe("Only deployments that are, or are not, reconciled remotely."),
  tagValueIds: z.array(id).describe("Only deployments with one of these tag values."),
  imageVersion: text.describe("Only deployments with this image version."),
  deploymentType: z.enum(deploymentTypes).describe("Only deployments of this type, such as serverless."),
  deploymentIds: z.array(z.guid()).describe("Only deployments with these ids (UUIDs)."),
};

export const DeploymentFilters = z.strictObject(filterFields).partial();
export type DeploymentFilters = z.infer<typeof DeploymentFilters>;

export const RepositoryHost = z.enum(["codehost", "service"]);
/** The kind of integration that lists repositories: a code host's, or the service's own. */
export type RepositoryHost = z.infer<typeof RepositoryHost>;

/** The arguments that select a list of repositories. */
export const RepositoryFilters = z.strictObject({
  integrationId: z.guid().describe("Id (UUID) of the integration."),
  host: RepositoryHost.optional().describe(
    "`codehost` for a code host's integration, `service` for the service's own. Default: `codehost`.",
  ),
});
