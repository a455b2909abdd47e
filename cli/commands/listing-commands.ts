/** The commands that list what declarations refer to by id. */
import type { Connection } from "../../provider/control-plane/connect";
import type { Paths } from "../../provider/dialects";
import type { Integration, Listener } from "../../provider/lookup/repository";
import type { Command } from "../command";
import { connectionOf, requirePath } from "../connection/service-connection";
import { sortedByName, printRows, type Column } from "../terminal/text-table";

interface Listing<T> {
  /** The command's name. */
  readonly name: string;
  readonly path: keyof Paths;
  readonly read: (listings: Connection["client"]["listings"]) => Promise<readonly T[]>;
  readonly columns: readonly Column<T>[];
  /** What is said if there are none. */
  readonly none: string;
}

function listing<T>({ name, path, read, columns, none }: Listing<T>): Command {
  return async (args, io) => {
    const { client, settings } = await connectionOf(args, io);
    requirePath(path, name, settings.dialect);
    printRows(await read(client.listings), columns, none, args, io);
  };
}

export const integrationsCommand = listing<Integration>({
  name: "integrations",
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
  path: "listeners",
  read: (listings) => listings.listeners(),
  columns: [
    { heading: "CLUSTER", text: ({ computeId }) => computeId },
    { heading: "ID", text: ({ id }) => id },
    { heading: "NAMESPACES", text: ({ namespaces }) => namespaces.join(", ") },
  ],
  none: "no listeners: install one in a cluster first",
});
