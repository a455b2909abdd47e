/** The commands that list what declarations refer to by id. */
import type { Integration, Listener } from "../repository";
import { exitCodes, type Command } from "./command";
import { connectionOf, requirePath } from "./connection";
import { stackFlag } from "./stack";
import { sortedByName, printRows, type Column } from "./columns";

const integrationColumns: readonly Column<Integration>[] = [
  { heading: "NAME", text: ({ name }) => name, least: 12 },
  { heading: "ID", text: ({ id }) => id },
  { heading: "INSTALLATION", text: ({ installationId }) => String(installationId), optional: true },
];

export const integrationsCommand: Command = {
  name: "integrations",
  summary: "List the code-host integrations; deployments from a repository need their ids",
  positionals: [],
  flags: [stackFlag],
  examples: {
    "npx pulumi-deployment-service integrations": "their names and ids",
    "npx pulumi-deployment-service integrations --json | jq -r '.[0].id'":
      "the id for `sourceConfig.integrationId`, with jq",
  },
  async run(args, io) {
    const { client, settings } = await connectionOf(args, io);
    requirePath("codehostIntegrations", "integrations", settings.dialect);
    const found = sortedByName(await client.listings.integrations());
    const none = "no integrations: connect a code host in the service's settings first";
    printRows(found, integrationColumns, none, args, io);
    return exitCodes.done;
  },
};

const listenerColumns: readonly Column<Listener>[] = [
  { heading: "CLUSTER", text: ({ computeId }) => computeId, least: 12 },
  { heading: "ID", text: ({ id }) => id },
  { heading: "NAMESPACES", text: ({ namespaces }) => namespaces.join(", "), least: 12 },
];

export const listenersCommand: Command = {
  name: "listeners",
  summary: "List the listeners that run images on your own clusters, with their namespaces",
  positionals: [],
  flags: [stackFlag],
  examples: {
    "npx pulumi-deployment-service listeners": "their ids and namespaces",
    "npx pulumi-deployment-service listeners --json | jq -r '.[0].id'":
      "the id for `sourceConfig.listenerId`, with jq",
  },
  async run(args, io) {
    const { client, settings } = await connectionOf(args, io);
    requirePath("listeners", "listeners", settings.dialect);
    const none = "no listeners: install one in a cluster first";
    printRows(await client.listings.listeners(), listenerColumns, none, args, io);
    return exitCodes.done;
  },
};
