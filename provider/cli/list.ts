import { resultOf, withoutTokens } from "../deployment/lookup";
import type { Tokenless } from "../deployment/service";
import { exitCodes, type Command } from "./command";
import { stateOf, typeOf, type DeploymentState } from "./deployment-state";
import { compareFleet, readStacks, type Fleet, type Owner } from "./fleet";
import { filterFlags, filtersIn, missingIds } from "./filters";
import { collect, settleAll, withProgress } from "./progress";
import { connectionOf, otherDialect } from "./connection";
import { stackFlag } from "./stack";
import { sortedByName, printRows, type Column } from "./columns";

interface Listed extends Tokenless {
  /** As `status` shows it. */
  readonly state: DeploymentState;
  readonly type: string | null;
}

/** A row of the table: a deployment, or what only the state of a stack has. */
interface Row
  extends Pick<Listed, "name" | "id">, Partial<Pick<Listed, "source" | "type" | "updatedAt" | "url">> {
  readonly state: string;
  /** Undefined without `--stacks`. */
  readonly stacks?: readonly Owner[];
}

const columns: readonly Column<Row>[] = [
  { heading: "NAME", text: ({ name }) => name, least: 16 },
  { heading: "STACK", text: ({ stacks }) => stacks && stacksText(stacks), optional: true, least: 20 },
  { heading: "STATE", text: ({ state }) => state, least: 14 },
  { heading: "URL", text: ({ url }) => url, optional: true },
  { heading: "SOURCE", text: ({ source }) => source, optional: true },
  { heading: "TYPE", text: ({ type }) => type, optional: true },
  { heading: "UPDATED", text: ({ updatedAt }) => updatedAt?.slice(0, 10), optional: true },
  { heading: "ID", text: ({ id }) => id, optional: true },
];

export const listCommand: Command = {
  name: "list",
  summary: "List deployments",
  positionals: [],
  flags: [
    ...filterFlags,
    { name: "stacks", doc: "Show which stacks of the backend manage each deployment, and what they miss" },
    stackFlag,
  ],
  examples: {
    "npx pulumi-deployment-service list": "all deployments",
    "npx pulumi-deployment-service list --name-contains chat --status READY":
      "ready deployments with chat in their names",
    "npx pulumi-deployment-service list --stacks": "which stack manages which, what none does, what two do",
    "npx pulumi-deployment-service list --json | jq -r '.[].id'": "ids only, with jq",
  },
  async run(args, io) {
    const filters = filtersIn(args);
    const { client, clock, settings } = await connectionOf(args, io);
    const isCompared = args.switches.has("stacks");
    const { deployments, entries } = await withProgress(io, clock, async (progress) => {
      const found = sortedByName(await collect(client.list(filters), "deployments", progress));
      const listed = found.map(async (each) => {
        const observed = withoutTokens(await client.withRevision(each));
        const { dialect } = settings;
        return { ...observed, state: stateOf(observed, dialect), type: typeOf(observed, dialect) };
      });
      const deployments = await settleAll(listed, "revisions", progress);
      return { deployments, entries: isCompared ? await readStacks(io, progress) : undefined };
    });
    const wrongDialect = otherDialect(deployments, settings.dialect);
    if (wrongDialect !== undefined) io.stderr.write(`warning: ${wrongDialect}\n`);
    const isComplete = Object.keys(filters).length === 0;
    const fleet = entries && compareFleet(entries, deployments, settings.baseUrl, isComplete);
    const rows = rowsOf(deployments, fleet);
    const missing = missingIds(filters, deployments);
    const none = missing === undefined ? "no deployments" : "";
    printRows(rows, columns, none, args, io, jsonRows(deployments, fleet));
    if (fleet !== undefined) io.stderr.write(`${countsText(rows)}\n`);
    if (missing !== undefined) throw new Error(missing);
    return exitCodes.done;
  },
};

function rowsOf(deployments: readonly Listed[], fleet: Fleet | undefined): Row[] {
  const listed = deployments.map(({ name, id, state, isPreview, source, type, updatedAt, url }) => ({
    ...{ name, id, source, type, updatedAt, url },
    state: isPreview ? `${state} (preview build)` : state,
    ...(fleet && { stacks: fleet.ownersOf(id) }),
  }));
  const missing = (fleet?.missing ?? []).map(({ name, ...each }) => {
    return { ...each, name: name ?? each.stacks[0]!.resource, state: "missing" };
  });
  return [...listed, ...missing];
}

function jsonRows(deployments: readonly Listed[], fleet: Fleet | undefined): unknown[] {
  const stacksOf = (id: string) => fleet && { stacks: fleet.ownersOf(id) };
  const listed = deployments.map((each) => ({ ...withoutSecretValues(each), ...stacksOf(each.id) }));
  const missing = (fleet?.missing ?? []).map((each) => ({ ...each, state: "missing" }));
  return [...listed, ...missing];
}

/** `acme/chat/prod (chat)` */
function stacksText(stacks: readonly Owner[]): string {
  return stacks.map(({ stack, resource }) => `${stack} (${resource})`).join(" and ");
}

function countsText(rows: readonly Row[]): string {
  const isMissing = ({ state }: Row) => state === "missing";
  const count = (is: (row: Row) => boolean) => rows.filter(is).length;
  const counts: Readonly<Record<string, number>> = {
    "managed by exactly one stack": count((row) => !isMissing(row) && row.stacks?.length === 1),
    "managed by no stack": count((row) => row.stacks?.length === 0),
    "managed by several resources, of which only one may keep it": count(
      (row) => !isMissing(row) && (row.stacks?.length ?? 0) > 1,
    ),
    "in a state, but not on the service (`pulumi refresh` removes it from the state)": count(isMissing),
  };
  const parts = Object.entries(counts).filter(([, number]) => number > 0);
  return parts.length === 0
    ? ""
    : `deployments ${parts.map(([what, number]) => `${what}: ${number}`).join("; ")}`;
}

function withoutSecretValues({ state, type, ...observed }: Listed) {
  const { secrets: _, ...result } = resultOf(observed);
  const { isPreview = false } = observed;
  return { ...result, state, type, isPreview, secretNames: Object.keys(observed.secrets ?? {}) };
}
