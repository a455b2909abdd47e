/** The commands that list what declarations refer to by id. */
import type { Connection } from "../../provider/control-plane/connect";
import type { Paths } from "../../provider/dialects";
import type { Integration, Listener } from "../../provider/lookup/repository";
import { exitCodes, type Command } from "../command";
import { connectionOf, requirePath } from "../connection/service-connection";
import { stackFlag } from "../connection/stack-configuration";
import { sortedByName, printRows, type Column } from "../terminal/text-table";

interface Listing<T> extends Pick<Command, "name" | "summary" | "examples"> {
  readonly path: keyof Paths;
  readonly read: (listings: Connection["client"]["listings"]) => Promise<readonly T[]>;
  readonly columns: readonly Column<T>[];
  /** What is said if there are none. */
  readonly none: string;
}

function listing<T>({ path, read, columns, none, ...shown }: Listing<T>): Command {
  return {
    ...shown,
    positionals: [],
    flags: [stackFlag],
    async run(args, io) {
      const { client, settings } = await connectionOf(args, io);
      requirePath(path, shown.name, settings.dialect);
      printRows(await read(client.listings), columns, none, args, io);
      return exitCodes.done;
    },
  };
}

export const integrationsCommand = listing<Integration>({
  name: "integrations",
  summary: "List the code-host integrations; deployments from a repository need their ids",
  examples: {
    "npx pulumi-deployment-service integrations --json | jq -r '.[0].id'":
      "the id for `sourceConfig.integrationId`, with jq",
  },
  path: "codehostIntegrations",
  read: async (listings) => sortedByName(await listings.integrations()),
  columns: [
    { heading: "NAME", text: ({ name }) => name },
    { heading: "ID", text: ({ id }) => id },
    { heading: "INSTALLATION", text: ({ installationId }) => String(installationId), optional: true },
  ],
  none: "no integrations: connect a code host in the service's settings first",
});

export const listenersCommand = listing<Listener>({
  name: "listeners",
  summary: "List the listeners that run images on your own clusters, with their namespaces",
  examples: {
    "npx pulumi-deployment-service listeners --json | jq -r '.[0].id'":
      "the id for `sourceConfig.listenerId`, with jq",
  },
  path: "listeners",
  read: (listings) => listings.listeners(),
  columns: [
    { heading: "CLUSTER", text: ({ computeId }) => computeId },
    { heading: "ID", text: ({ id }) => id },
    { heading: "NAMESPACES", text: ({ namespaces }) => namespaces.join(", ") },
  ],
  none: "no listeners: install one in a cluster first",
});
