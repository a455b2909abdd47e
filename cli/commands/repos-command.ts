/** The command `repos`: the repositories of an integration. */
import { withoutCredentials } from "../../schema/address";
import { RepositoryHost } from "../../schema/filters";
import { isUuid } from "../../schema/uuid";
import { dialectsWith } from "../../provider/dialects";
import { DeploymentError } from "../../provider/errors";
import { fromRepository, type Repository } from "../../provider/lookup/repository";
import { snippetText } from "../import/imported-manifest";
import { keysFor } from "../import/keys";
import { exitCodes, UsageError, type Command } from "../command";
import { connectionOf } from "../connection/service-connection";
import { stackFlag } from "../connection/stack-configuration";
import { printRows, type Column } from "../terminal/text-table";

const columns: readonly Column<Repository>[] = [
  { heading: "OWNER", text: ({ owner }) => owner },
  { heading: "NAME", text: ({ name }) => name },
  { heading: "DEFAULT BRANCH", text: ({ defaultBranch }) => defaultBranch },
  { heading: "URL", text: ({ url }) => url },
];

export const reposCommand: Command = {
  name: "repos",
  summary: "List the repositories that an integration can access",
  positionals: ["INTEGRATION_ID"],
  flags: [
    {
      name: "host",
      value: "HOST",
      doc: "Which kind of integration it is: a code host's (default) or the service's own",
      choices: RepositoryHost.options,
    },
    { name: "yaml", doc: "Print a manifest snippet with one deployment per repository" },
    stackFlag,
  ],
  examples: {
    "npx pulumi-deployment-service repos 6f0e6c1a-1f0b-4c53-9c3e-3f1c9a0d2b11 --yaml":
      "the repositories of an integration, as a manifest snippet",
  },
  async run(args, io) {
    const { positionals, flags, switches } = args;
    const [integrationId = ""] = positionals;
    if (!isUuid(integrationId)) {
      const others = dialectsWith("codehostIntegrations").join(" or ");
      throw new UsageError(`INTEGRATION_ID must be a UUID: \`integrations\` lists them (dialect ${others})`);
    }
    if (switches.has("yaml") && switches.has("json"))
      throw new UsageError("use only one of --yaml and --json");
    const host = RepositoryHost.parse(flags["host"] ?? "codehost");
    const { client } = await connectionOf(args, io);
    const found = await client.listings.repositories(integrationId, host).catch((error: unknown) => {
      // Not the service's fault: the setting with the endpoint's path is missing.
      throw error instanceof DeploymentError ? new UsageError(error.message) : error;
    });
    const repositories = found.map((each) => ({ ...each, url: withoutCredentials(each.url) }));
    if (switches.has("yaml")) io.stdout.write(snippetText(declarationsOf(repositories)));
    else printRows(repositories, columns, "no repositories", args, io);
    return exitCodes.done;
  },
};

function declarationsOf(repositories: readonly Repository[]) {
  const keys = keysFor(repositories.map(({ name }) => name));
  const declarations = repositories.map((each) => ({ source: "codehost", ...fromRepository(each) }));
  return Object.fromEntries(declarations.map((each, index) => [keys[index]!, each]));
}
