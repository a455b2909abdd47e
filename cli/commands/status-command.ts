/** The command `status`: what runs, and what is being rolled out; with `--wait` until that has ended. */
import type { Observed } from "../../provider/deployment/service";
import { formatDuration, parseDuration } from "../../provider/time/duration";
import { endOf, waitUntil } from "../../provider/time/limits";
import { sanitize } from "../../provider/text/sanitize";
import { exitCodes, UsageError, type ParsedArguments, type Command, type Io } from "../command";
import {
  nameColumn,
  readRows,
  refuseUnread,
  rowOf,
  stateColumn,
  typeColumn,
  urlColumn,
  type DeploymentRow,
} from "../deployments/deployment-rows";
import { hasFailed } from "../deployments/deployment-state";
import { collect, withProgress, type Progress } from "../terminal/progress";
import { contentOf, shortContent, showRevisions } from "../deployments/revision-table";
import { findersFor, missingText, type Finder } from "../connection/named-deployment";
import { connectionOf, otherDialect, type CommandConnection } from "../connection/service-connection";
import { program } from "../help";
import { stackFlag } from "../connection/stack-configuration";
import { printRows, sortedByName, type Column } from "../terminal/text-table";

interface Row extends DeploymentRow {
  /** What the active revision runs. Null if there is none, or the service does not report it. */
  readonly runs?: string | null;
}

interface Statuses {
  readonly rows: readonly Row[];
  /** The names that the service does not have. */
  readonly missing: readonly string[];
}

const columns: readonly Column<Row>[] = [
  nameColumn,
  stateColumn,
  { ...urlColumn, always: true },
  { heading: "RUNS", text: runsText, optional: true, always: true },
  { heading: "NEWEST STATUS", text: (row) => ifOpen(row, row.observed.latestRevisionStatus), optional: true },
  { heading: "NEWEST REVISION", text: ({ observed }) => observed.latestRevisionId, optional: true },
  { heading: "RUNNING REVISION", text: (row) => ifOpen(row, row.observed.activeRevisionId), optional: true },
  typeColumn,
];

/** How long `--wait` waits; milliseconds. */
const usualTimeout = 30 * 60_000;

export const statusCommand: Command = {
  name: "status",
  summary: "Show the status of deployments, and wait for rollouts",
  positionals: ["[NAME…]"],
  flags: [
    { name: "wait", doc: "Wait until all rollouts have ended" },
    { name: "revisions", doc: "Show all revisions of one deployment, newest first" },
    { name: "timeout", value: "DURATION", doc: "The longest time to wait (default: 30m)" },
    stackFlag,
  ],
  examples: {
    "npx pulumi-deployment-service status": "all deployments",
    "npx pulumi-deployment-service status chat search --wait --timeout 10m":
      "wait for two; exits with 3 if one failed",
    "npx pulumi-deployment-service status chat --revisions": "earlier revisions, to roll back to one",
    "npx pulumi-deployment-service status chat --json | jq -r '.[0].url'": "the address, with jq",
  },
  async run(args, io) {
    const timeout = timeoutIn(args);
    const isHistory = asksForRevisions(args);
    const connection = await connectionOf(args, io);
    if (isHistory) {
      await showRevisions(args, connection, io);
      return exitCodes.done;
    }
    const find = await findersFor(args.positionals, connection, io);
    const { rows, missing } = await withProgress(io, connection.clock, (progress) => {
      const reader = (within: CommandConnection) => statusReader(find, within, progress);
      return args.switches.has("wait")
        ? untilSettled(reader, connection, timeout, progress, io)
        : reader(connection)();
    });
    const none = rows.length + missing.length === 0 ? "no deployments" : "";
    printRows(rows, columns, none, args, io, [...rows.map(statusOf), ...missing.map(missingStatus)]);
    const isWrong = (row: Row) => hasFailed(row.state) || (args.switches.has("wait") && !isSettled(row));
    const problems = [
      ...rows.filter(isWrong).map(({ name, state }) => `${name} ${state === "failed" ? "" : "is "}${state}`),
      ...(missing.length === 0 ? [] : [await missingText(missing, connection.client)]),
    ];
    if (problems.length > 0) io.stderr.write(`${program}: ${sanitize(problems.join(", "))}\n`);
    refuseUnread(rows);
    return problems.length > 0 ? exitCodes.failed : exitCodes.done;
  },
};

function timeoutIn({ flags, switches }: ParsedArguments): number {
  const text = flags["timeout"];
  if (text === undefined) return usualTimeout;
  if (!switches.has("wait")) throw new UsageError("--timeout needs --wait");
  const timeout = parseDuration(text);
  if (timeout === undefined || timeout === 0)
    throw new UsageError("--timeout must be a duration such as 90s, 30m or 1h");
  return timeout;
}

function asksForRevisions({ positionals, switches }: ParsedArguments): boolean {
  if (!switches.has("revisions")) return false;
  if (new Set(positionals).size > 1) throw new UsageError("--revisions needs the NAME of one deployment");
  if (switches.has("wait")) throw new UsageError("use only one of --revisions and --wait");
  return true;
}

/** Returns a function that reads the statuses. It asks once what a revision runs, however often it is called. */
function statusReader(
  finders: readonly Finder[],
  { client, settings: { dialect } }: CommandConnection,
  progress: Progress,
): () => Promise<Statuses> {
  const contents = new Map<string, Promise<string | null>>();
  const contentOfRevision = async (id: string, revisionId: string) => {
    const revision = await client.history.one(id, revisionId);
    return (revision && contentOf(revision)) ?? null;
  };
  const runsOf = async (observed: Observed) => {
    const { id, activeRevisionId: active, latestRevisionId: latest } = observed;
    if (active === latest && active !== null) return contentOf(observed) ?? null;
    if (active === null || dialect.paths.revision === undefined) return null;
    const known = contents.get(active) ?? contentOfRevision(id, active);
    contents.set(active, known);
    known.catch(() => contents.delete(active));
    return known;
  };
  const read = async (found: Observed): Promise<Row> => ({
    ...rowOf(await client.withRevision(found), dialect),
    runs: await runsOf(found),
  });
  return async () => {
    const asked = await Promise.all(finders.map(async ({ name, find }) => (await find(client)) ?? name));
    const found =
      finders.length === 0
        ? sortedByName(await collect(client.list({}), "deployments", progress))
        : asked.filter((each) => typeof each !== "string");
    // In the wrong dialect, failed deployments would look like rollouts in progress.
    const wrongDialect = otherDialect(found, dialect);
    if (wrongDialect !== undefined) throw new UsageError(wrongDialect);
    const rows = await readRows(found, progress, dialect, read);
    return { rows, missing: asked.filter((each) => typeof each === "string") };
  };
}

/** Polls until everything is settled, the time is up, or the user presses Ctrl-C. */
async function untilSettled(
  reader: (within: CommandConnection) => () => Promise<Statuses>,
  connection: CommandConnection,
  timeout: number,
  progress: Progress,
  io: Io,
): Promise<Statuses> {
  const { clock, settings, client, lookUpLimits } = connection;
  const limits = { deadline: clock.now() + timeout, signal: io.cancellation() };
  // A request sent just before the deadline may still finish.
  const deadline = limits.deadline + settings.requestTimeout;
  const read = reader({
    ...connection,
    client: client.within({
      ...lookUpLimits(),
      ...limits,
      deadline,
      timeout,
      moreTime: "a longer --timeout",
    }),
  });
  let statuses: Statuses = { rows: [], missing: [] };
  let before = "";
  const isSettledNow = async () => {
    try {
      statuses = await read();
    } catch (error) {
      const end = endOf(clock, limits);
      if (end === undefined || statuses.rows.length === 0) throw error;
      return end;
    }
    const open = statuses.rows.filter((each) => !isSettled(each));
    if (open.length === 0 || limits.signal.aborted) return true;
    const waiting = open.map((each) => sanitize(progressOf(each))).join(", ");
    progress.text = () => `waiting ${progress.elapsed()} of ${formatDuration(timeout)} for ${waiting}`;
    if (waiting !== before) progress.changed();
    before = waiting;
    return undefined;
  };
  const pauses = { first: settings.pollInterval };
  const end = await waitUntil(clock, limits, isSettledNow, pauses);
  if (end === "out of time") io.stderr.write(`not settled after ${formatDuration(timeout)}\n`);
  if (end === "interrupted") io.stderr.write("interrupted: nothing was changed, and the rollouts continue\n");
  return statuses;
}

function progressOf({ name, state, observed: { status, latestRevisionStatus } }: Row): string {
  const details = [status, latestRevisionStatus].filter(Boolean).join(", ");
  return `${name} (${details || state})`;
}

function isSettled({ state }: Row): boolean {
  return state !== "rolling out" && state !== "deleting";
}

/** What the newest revision will run, or would if it had not failed. */
function deploysOf(row: Row): string | null {
  return row.state === "ready" ? null : (ifOpen(row, contentOf(row.observed)) ?? null);
}

/** As JSON. */
function statusOf(row: Row) {
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

function missingStatus(name: string) {
  return { name, state: "missing", id: null };
}

/** For what says nothing new once the newest revision is active. */
function ifOpen<T>({ observed }: Row, value: T): T | null {
  return observed.activeRevisionId === observed.latestRevisionId ? null : value;
}

/** `registry.example.com/chat:1 => registry.example.com/chat:2` while another one is rolled out, or has failed. */
function runsText(row: Row): string | null | undefined {
  const [now, next] = [row.runs, deploysOf(row)].map((text) => text && shortContent(text));
  return next ? `${now ?? "-"} => ${next}` : now;
}
