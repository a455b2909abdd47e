/** The commands that list what declarations refer to by id. */
import type { Command } from "../command";
import { connectionOf, requirePath } from "../connection/service-connection";
import { sortedByName, printRows } from "../terminal/text-table";

export const integrationsCommand: Command = async (args, io) => {
  const { client, settings } = await connectionOf(args, io);
  requirePath("codehostIntegrations", "integrations", settings.dialect);
  printRows(
    sortedByName(await client.listings.integrations()),
    [
      { heading: "NAME", text: ({ name }) => name },
      { heading: "ID", text: ({ id }) => id },
      { heading: "INSTALLATION", text: ({ installationId }) => String(installationId), optional: true },
    ],
    "no integrations: connect a code host in the service's settings first",
    args,
    io,
  );
};

export const listenersCommand: Command = async (args, io) => {
  const { client, settings } = await connectionOf(args, io);
  requirePath("listeners", "listeners", settings.dialect);
  printRows(
    await client.listings.listeners(),
    [
      { heading: "CLUSTER", text: ({ computeId }) => computeId },
      { heading: "ID", text: ({ id }) => id },
      { heading: "NAMESPACES", text: ({ namespaces }) => namespaces.join(", ") },
    ],
    "no listeners: install one in a cluster first",
    args,
    io,
  );
};
