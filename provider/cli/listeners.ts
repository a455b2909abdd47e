import type { Listener } from "../deployment/repository";
import { exitCodes, type Command } from "./command";
import { connectionOf, requirePath } from "./connection";
import { stackFlag } from "./stack";
import { printRows, type Column } from "./columns";

const columns: readonly Column<Listener>[] = [
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
    const found = await client.listings.listeners();
    printRows(found, columns, "no listeners: install one in a cluster first", args, io);
    return exitCodes.done;
  },
};
