/** The command `status`: what runs, and what is being rolled out; with `--wait` until that has ended. */
import type { Observed } from "../../provider/deployment/service";
import type { Dialect } from "../../provider/dialects";
import { waitUntil } from "../../provider/time/limits";
import { sanitize } from "../../provider/text/sanitize";
import { exitCodes, program, UsageError, type Command, type Io } from "../command";
import { columns, readRows, refuseUnread, type DeploymentRow } from "../deployments/deployment-rows";
import { hasFailed } from "../deployments/deployment-state";
import { contentOf, shortContent, showRevisions } from "../deployments/revision-table";
import { finderFor, missingText, type Client, type Finder } from "../connection/named-deployment";
import {
  collect,
  connectionOf,
  otherDialect,
  type CommandConnection,
} from "../connection/service-connection";
import { printRows, sortedByName, type Column } from "../terminal/text-table";

const shownColumns: readonly Column<DeploymentRow>[] = [
  columns.name,
  columns.state,
  { heading: "RUNS", text: runsText },
  columns.url,
  columns.type,
];

/** How long `--wait` waits, as an `up` does; milliseconds. */
const longestWait = 30 * 60_000;

export const statusCommand: Command = async (args, io) => {
  const wantsRevisions = args.switches.has("revisions");
  if (wantsRevisions && args.positionals.length !== 1)
    throw new UsageError("--revisions needs the NAME of one deployment");
  if (wantsRevisions && args.switches.has("wait"))
    throw new UsageError("use only one of --revisions and --wait");
  const connection = await connectionOf(args, io);
  if (wantsRevisions) return showRevisions(args.positionals[0]!, args, connection, io);
  const names = [...new Set(args.positionals)];
  const { stack } = args.flags;
  const isAll = names.length === 0 && stack === undefined;
  const finder = isAll ? undefined : await finderFor(connection, io);
  const read = (client: Client) => statusesFor(names, finder, client, connection.settings.dialect);
  const { rows, missing } = await (args.switches.has("wait")
    ? untilSettled(read, connection, io)
    : read(connection.client));
  const none =
    stack === undefined
      ? "no deployments"
      : `stack ${sanitize(stack)} has no deployments; without --stack, status shows all of the service`;
  printRows(rows, shownColumns, missing.length === 0 ? none : "", args, io, [
    ...rows.map(statusOf),
    ...missing.map((name) => ({ name, state: "missing", id: null })),
  ]);
  const isWrong = (row: DeploymentRow) =>
    hasFailed(row.state) || (args.switches.has("wait") && !isSettled(row));
  const problems = [
    ...rows.filter(isWrong).map(({ name, state }) => `${name} ${state === "failed" ? "" : "is "}${state}`),
    ...(missing.length === 0 ? [] : [await missingText(missing, connection.client)]),
  ];
  if (problems.length > 0) io.stderr.write(`${program}: ${sanitize(problems.join(", "))}\n`);
  refuseUnread(rows);
  return problems.length > 0 ? exitCodes.failed : exitCodes.done;
};

/** The named deployments, else those of the stack, else all; in the place of each that the service does not have, its name. */
async function askedFor(
  names: readonly string[],
  finder: Finder | undefined,
  client: Client,
): Promise<(Observed | string)[]> {
  if (finder === undefined) return sortedByName(await collect(client.list({})));
  const { managed, find } = finder;
  if (names.length > 0) return Promise.all(names.map(async (name) => (await find(name, client)) ?? name));
  return Promise.all(managed.map(async ({ id, resource }) => (await client.read(id)) ?? resource));
}

async function statusesFor(
  names: readonly string[],
  finder: Finder | undefined,
  client: Client,
  dialect: Dialect,
) {
  const asked = await askedFor(names, finder, client);
  const missing = asked.filter((each) => typeof each === "string");
  const found = asked.filter((each) => typeof each !== "string");
  // In the wrong dialect, failed deployments would look like rollouts in progress.
  const wrongDialect = otherDialect(found, dialect);
  if (wrongDialect !== undefined) throw new UsageError(wrongDialect);
  const runsOf = async (observed: Observed) => {
    const { id, activeRevisionId: active, latestRevisionId: latest } = observed;
    if (active === latest && active !== null) return contentOf(observed) ?? null;
    if (active === null || dialect.paths.revision === undefined) return null;
    const revision = await client.history.one(id, active);
    return (revision && contentOf(revision)) ?? null;
  };
  return { rows: await readRows(found, client, dialect, runsOf), missing };
}
type Statuses = Awaited<ReturnType<typeof statusesFor>>;

/** Polls until everything is settled, the time is up, or the user presses Ctrl-C. */
async function untilSettled(
  read: (client: Client) => Promise<Statuses>,
  { clock, settings, client, lookUpLimits }: CommandConnection,
  io: Io,
): Promise<Statuses> {
  const limits = { deadline: clock.now() + longestWait, signal: io.cancellation() };
  let statuses: Statuses = { rows: [], missing: [] };
  let before = "";
  const isSettledNow = async () => {
    try {
      statuses = await read(client.within({ ...lookUpLimits(), signal: limits.signal }));
    } catch (error) {
      if (limits.signal.aborted && statuses.rows.length > 0) return "interrupted";
      throw error;
    }
    const open = statuses.rows.filter((each) => !isSettled(each));
    if (open.length === 0) return "settled";
    const waiting = open
      .map(({ name, state, observed: { status, latestRevisionStatus } }) => {
        const statuses = [status, latestRevisionStatus].filter(Boolean).join(", ") || state;
        return sanitize(`${name} (${statuses})`);
      })
      .join(", ");
    if (waiting !== before) io.stderr.write(`waiting for ${waiting}\n`);
    before = waiting;
    return undefined;
  };
  const end = await waitUntil(clock, limits, isSettledNow, { first: settings.pollInterval });
  if (end === "out of time") io.stderr.write("not settled after 30m\n");
  if (end === "interrupted") io.stderr.write("interrupted: nothing was changed, and the rollouts continue\n");
  return statuses;
}

function isSettled({ state }: DeploymentRow): boolean {
  return state !== "rolling out" && state !== "deleting";
}

/** What the newest revision will run, or would if it had not failed. */
function deploysOf({ state, observed }: DeploymentRow): string | null {
  const isOpen = state !== "ready" && observed.activeRevisionId !== observed.latestRevisionId;
  return (isOpen && contentOf(observed)) || null;
}

/** As JSON. */
function statusOf(row: DeploymentRow) {
  const { name, state, type, observed, runs = null, error } = row;
  const { activeRevisionId: active, latestRevisionId: latest } = observed;
  return {
    name,
    state,
    type,
    id: observed.id,
    status: observed.status,
    activeRevision: active && { id: active },
    latestRevision: latest && { id: latest, status: observed.latestRevisionStatus ?? null },
    runs,
    deploys: deploysOf(row),
    url: observed.url,
    dashboardUrl: observed.dashboardUrl,
    ...(error && { error }),
  };
}

/** `registry.example.com/chat:1 => registry.example.com/chat:2` while another one is rolled out, or has failed. */
function runsText(row: DeploymentRow): string | null | undefined {
  const [now, next] = [row.runs, deploysOf(row)].map((text) => text && shortContent(text));
  return next ? `${now ?? "-"} => ${next}` : now;
}
