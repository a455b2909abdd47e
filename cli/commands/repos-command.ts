/** The command `repos`: the repositories of an integration. */
import { withoutCredentials } from "../../schema/address";
import { RepositoryHost } from "../../schema/filters";
import { isUuid } from "../../schema/uuid";
import { dialectsWith } from "../../provider/dialects";
import { DeploymentError } from "../../provider/errors";
import { fromRepository, type Repository } from "../../provider/lookup/repository";
import { snippetText } from "../import/imported-manifest";
import { keysFor } from "../import/keys";
import { UsageError, type Command } from "../command";
import { connectionOf } from "../connection/service-connection";
import { printRows, type Column } from "../terminal/text-table";

const columns: readonly Column<Repository>[] = [
  { heading: "OWNER", text: ({ owner }) => owner },
  { heading: "NAME", text: ({ name }) => name },
  { heading: "DEFAULT BRANCH", text: ({ defaultBranch }) => defaultBranch },
  { heading: "URL", text: ({ url }) => url },
];

export const reposCommand: Command = async (args, io) => {
  const { positionals, flags, switches } = args;
  const [integrationId = ""] = positionals;
  if (!isUuid(integrationId)) {
    const others = dialectsWith("codehostIntegrations").join(" or ");
    throw new UsageError(`INTEGRATION_ID must be a UUID: \`integrations\` lists them (dialect ${others})`);
  }
  if (switches.has("yaml") && switches.has("json")) throw new UsageError("use only one of --yaml and --json");
  const host = RepositoryHost.parse(flags["host"] ?? "codehost");
  const { client } = await connectionOf(args, io);
  const found = await client.listings.repositories(integrationId, host).catch((error: unknown) => {
    // Not the service's fault: the setting with the endpoint's path is missing.
    throw error instanceof DeploymentError ? new UsageError(error.message) : error;
  });
  const repositories = found.map((each) => ({ ...each, url: withoutCredentials(each.url) }));
  if (!switches.has("yaml")) return printRows(repositories, columns, "no repositories", args, io);
  const keys = keysFor(repositories.map(({ name }) => name));
  const declarations = repositories.map((each, index) => {
    return [keys[index]!, { source: "codehost", ...fromRepository(each) }] as const;
  });
  io.stdout.write(snippetText(Object.fromEntries(declarations)));
};
