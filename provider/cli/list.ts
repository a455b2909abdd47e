import { resultOf, withoutTokens } from "../deployment/lookup";
import type { Tokenless } from "../deployment/service";
import { jsonOf } from "../text/sanitize";
import { exitCodes, type Command } from "./command";
import { stateOf, typeOf, type DeploymentState } from "./deployment-state";
import { filterFlags, filtersIn, missingIds } from "./filters";
import { collect, settleAll, withProgress } from "./progress";
import { connectionOf, otherDialect } from "./connection";
import { stackFlag } from "./stack";
import { sortedByName, table, type Column } from "./columns";

interface Listed extends Tokenless {
  /** As `status` shows it. */
  readonly state: DeploymentState;
  readonly type: string | null;
}

const columns: readonly Column<Listed>[] = [
  { heading: "NAME", text: ({ name }) => name, least: 24 },
  {
    heading: "STATE",
    text: ({ state, isPreview }) => (isPreview ? `${state} (preview build)` : state),
    least: 14,
  },
  { heading: "ID", text: ({ id }) => id },
  { heading: "SOURCE", text: ({ source }) => source, optional: true },
  { heading: "TYPE", text: ({ type }) => type, optional: true },
  { heading: "UPDATED", text: ({ updatedAt }) => updatedAt?.slice(0, 10), optional: true },
  { heading: "URL", text: ({ url }) => url, least: 24, optional: true },
];

export const listCommand: Command = {
  name: "list",
  summary: "List deployments",
  positionals: [],
  flags: [...filterFlags, stackFlag],
  examples: {
    "npx pulumi-deployment-service list": "all deployments",
    "npx pulumi-deployment-service list --name-contains chat --status READY":
      "ready deployments with chat in their names",
    "npx pulumi-deployment-service list --json | jq -r '.[].id'": "ids only, with jq",
  },
  async run(args, io) {
    const filters = filtersIn(args);
    const { client, clock, settings } = await connectionOf(args, io);
    const deployments = await withProgress(io, clock, async (progress) => {
      const found = sortedByName(await collect(client.list(filters), "deployments", progress));
      const listed = found.map(async (each) => {
        const observed = withoutTokens(await client.withRevision(each));
        return { ...observed, state: stateOf(observed, settings.dialect), type: typeOf(observed, settings.dialect) };
      });
      return settleAll(listed, "revisions", progress);
    });
    const wrongDialect = otherDialect(deployments, settings.dialect);
    if (wrongDialect !== undefined) io.stderr.write(`warning: ${wrongDialect}\n`);
    const missing = missingIds(filters, deployments);
    if (args.switches.has("json")) io.stdout.write(jsonOf(deployments.map(withoutSecretValues)));
    else if (deployments.length > 0) io.stdout.write(table(deployments, columns, io.columns));
    else if (missing === undefined) io.stderr.write("no deployments\n");
    if (missing !== undefined) throw new Error(missing);
    return exitCodes.done;
  },
};

function withoutSecretValues({ state, type, ...observed }: Listed) {
  const { secrets: _, ...result } = resultOf(observed);
  const { isPreview = false } = observed;
  return { ...result, state, type, isPreview, secretNames: Object.keys(observed.secrets ?? {}) };
}
