import type { Integration } from "../deployment/repository";
import { exitCodes, type Command } from "./command";
import { connectionOf, requirePath } from "./connection";
import { stackFlag } from "./stack";
import { sortedByName, printRows, type Column } from "./columns";

const columns: readonly Column<Integration>[] = [
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
    printRows(found, columns, none, args, io);
    return exitCodes.done;
  },
};
