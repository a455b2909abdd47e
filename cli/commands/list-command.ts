/** The command `list`: the deployments of the service, with `--stacks` next to those of the stacks. */
import { deploymentStatuses } from "../../schema/enums";
import { resultOf, withoutTokens } from "../../provider/deployment/lookup";
import type { Observed, Tokenless } from "../../provider/deployment/service";
import type { Dialect } from "../../provider/dialects";
import { exitCodes, type Command } from "../command";
import { stateOf, deploymentTypeOf, type DeploymentState } from "../deployments/deployment-state";
import { compareFleet, readStacks, type Missing, type Owner } from "../fleet";
import { filterFlags, filtersIn, missingIds } from "../deployments/filter-flags";
import { collect, withProgress } from "../terminal/progress";
import { readRows, refuseUnread } from "../deployments/revision-rows";
import { connectionOf, otherDialect } from "../connection/service-connection";
import { stackFlag } from "../connection/stack-configuration";
import { sortedByName, printRows, type Column } from "../terminal/table";

interface Listed extends Tokenless {
  /** As `status` shows it. */
  readonly state: DeploymentState;
  readonly type: string | null;
  readonly error?: string;
}

interface Row extends Pick<Missing, "id" | "name"> {
  /** Undefined without `--stacks`. */
  readonly stacks?: readonly Owner[] | undefined;
  /** Undefined if only the state of a stack has it. */
  readonly deployment?: Listed;
}

const columns: readonly Column<Row>[] = [
  { heading: "NAME", text: ({ name, stacks }) => name ?? stacks?.[0]?.resource, least: 16 },
  { heading: "STACK", text: stacksText, optional: true, least: 20 },
  { heading: "STATE", text: stateText, least: 14 },
  { heading: "URL", text: ({ deployment }) => deployment?.url, optional: true },
  { heading: "SOURCE", text: ({ deployment }) => deployment?.source, optional: true },
  { heading: "TYPE", text: ({ deployment }) => deployment?.type, optional: true },
  {
    heading: "UPDATED",
    text: ({ deployment }) => deployment?.updatedAt?.slice(0, 10),
    optional: true,
  },
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
      const describe = (each: Observed): Listed => {
        const observed = withoutTokens(each);
        const { dialect } = settings;
        return { ...observed, state: stateOf(observed, dialect), type: deploymentTypeOf(observed, dialect) };
      };
      const read = async (each: Observed) => describe(await client.withRevision(each));
      const deployments = await readRows(found, progress, read, describe);
      return { deployments, entries: isCompared ? await readStacks(io, progress) : undefined };
    });
    const wrongDialect = otherDialect(deployments, settings.dialect);
    if (wrongDialect !== undefined) io.stderr.write(`warning: ${wrongDialect}\n`);
    const isComplete = Object.keys(filters).length === 0;
    const fleet = entries && compareFleet(entries, deployments, settings.baseUrl, isComplete);
    const rows: readonly Row[] = [
      ...deployments.map((each) => ({
        id: each.id,
        name: each.name,
        stacks: fleet?.ownersOf(each.id),
        deployment: each,
      })),
      ...(fleet?.missing ?? []),
    ];
    const missing = missingIds(filters, deployments);
    const { status } = filters;
    const isKnown = status === undefined || deploymentStatuses.includes(status);
    const statuses = isKnown ? "" : `; the known statuses are ${deploymentStatuses.join(", ")}`;
    const none = missing === undefined ? `no deployments${statuses}` : "";
    printRows(
      rows,
      columns,
      none,
      args,
      io,
      rows.map((row) => withoutSecretValues(row, settings.dialect)),
    );
    if (fleet !== undefined) io.stderr.write(`${countsText(rows)}\n`);
    if (missing !== undefined) throw new Error(missing);
    refuseUnread(deployments);
    return exitCodes.done;
  },
};

function stateText({ deployment }: Row): string {
  if (deployment === undefined) return "missing";
  return deployment.owner ? `${deployment.state} (${deployment.owner.what})` : deployment.state;
}

/** `acme/chat/prod`, or `acme/chat/prod (chat)` if the resource has another name. A backend without organizations has a placeholder. */
function stacksText({ name, stacks }: Row): string | undefined {
  const texts = stacks?.map(({ stack, resource }) => {
    const shown = stack.replace(/^organization\//, "");
    return resource === (name ?? stacks[0]?.resource) ? shown : `${shown} (${resource})`;
  });
  return texts?.join(" and ");
}

function countsText(rows: readonly Row[]): string {
  const owned = (is: (owners: number) => boolean) =>
    rows.filter(({ deployment, stacks = [] }) => deployment !== undefined && is(stacks.length));
  const counts: Readonly<Record<string, readonly Row[]>> = {
    "managed by exactly one stack": owned((owners) => owners === 1),
    "managed by no stack": owned((owners) => owners === 0),
    "managed by more than one resource (remove it from all states but one)": owned((owners) => owners > 1),
    "in a state, but not on the service (`pulumi refresh` removes it from the state)": rows.filter(
      ({ deployment }) => deployment === undefined,
    ),
  };
  const parts = Object.entries(counts).filter(([, { length }]) => length > 0);
  return parts.length === 0
    ? ""
    : `deployments ${parts.map(([what, { length }]) => `${what}: ${length}`).join("; ")}`;
}

function withoutSecretValues({ id, name, stacks, deployment }: Row, { owners }: Dialect) {
  if (deployment === undefined) return { id, name, stacks, state: "missing" };
  const { state, type, error, ...observed } = deployment;
  const { secrets: _, ...result } = resultOf(observed);
  // `isPreview`, by the service's own name.
  const flags = Object.fromEntries(
    Object.entries(owners).map(([field, owner]) => [
      field.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
      observed.owner === owner,
    ]),
  );
  const secretNames = Object.keys(observed.secrets ?? {});
  return {
    ...result,
    state,
    type,
    ...flags,
    secretNames,
    ...(stacks && { stacks }),
    ...(error && { error }),
  };
}
