/** The command `status`: what runs, and what is being rolled out; with `--wait` until that has ended. */
import { withoutTokens } from "../../provider/deployment/lookup";
import type { Observed } from "../../provider/deployment/service";
import type { Connection } from "../../provider/control-plane/connect";
import type { Dialect } from "../../provider/dialects";
import { formatDuration, parseDuration } from "../../provider/time/duration";
import { endOf, waitUntil } from "../../provider/time/limits";
import { sanitize } from "../../provider/text/sanitize";
import { exitCodes, UsageError, type ParsedArguments, type Command, type Io } from "../command";
import { stateOf, deploymentTypeOf, type DeploymentState } from "../deployments/deployment-state";
import { collect, withProgress, type Progress } from "../terminal/progress";
import { readRows, refuseUnread } from "../deployments/revision-rows";
import { imageOrCommit, showRevisions } from "../deployments/revision-table";
import { connectionOf, missingText, otherDialect } from "../connection/service-connection";
import { program } from "../help";
import { stackFlag } from "../connection/stack-configuration";
import { printRows, sortedByName, type Column } from "../terminal/table";

interface Revision {
  readonly id: string;
  /** Null if the service does not report it. */
  readonly status: string | null;
}

/** The printed status of a deployment. */
interface Status {
  readonly name: string;
  readonly state: DeploymentState | "missing";
  /** Null if the service does not report it. */
  readonly type: string | null;
  readonly id: string | null;
  /** As the service reports it. */
  readonly status: string | null;
  readonly activeRevision: Revision | null;
  readonly latestRevision: Revision | null;
  /** Image, commit or branch of the active revision. Null if there is none, or the service does not report it. */
  readonly runs: string | null;
  /** Image, commit or branch of the latest revision. Null if that is the active one. */
  readonly deploys: string | null;
  readonly url: string | null;
  readonly dashboardUrl: string | null;
  readonly error?: string;
}

/** Ids and addresses are never cut, so that they can be copied. */
const columns: readonly Column<Status>[] = [
  { heading: "NAME", text: ({ name }) => name, least: 16 },
  { heading: "STATE", text: ({ state }) => state },
  { heading: "RUNS", text: runsText, least: 24, keepsEnd: true, optional: true },
  { heading: "URL", text: ({ url }) => url, optional: true },
  { heading: "NEWEST STATUS", text: ({ latestRevision }) => latestRevision?.status, optional: true },
  { heading: "NEWEST REVISION", text: ({ latestRevision }) => latestRevision?.id, optional: true },
  { heading: "RUNNING REVISION", text: runningText, optional: true },
  { heading: "TYPE", text: ({ type }) => type, optional: true },
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
    const statuses = await withProgress(io, connection.clock, (progress) => {
      const reader = (within: Connection) => statusReader(args.positionals, within, progress);
      return args.switches.has("wait")
        ? untilSettled(reader, connection, timeout, progress, io)
        : reader(connection)();
    });
    const there = statuses.filter(({ state }) => state !== "missing");
    const none = statuses.length === 0 ? "no deployments" : "";
    printRows(there, columns, none, args, io, statuses);
    const isProblem = (each: Status) =>
      each.state === "failed" || (args.switches.has("wait") && !isSettled(each));
    const bad = there
      .filter(isProblem)
      .map(({ name, state }) => `${name} ${state === "failed" ? "" : "is "}${state}`);
    const missing = statuses.filter(({ state }) => state === "missing").map(({ name }) => name);
    const problems = [
      ...bad,
      ...(missing.length === 0 ? [] : [await missingText(missing, connection.client)]),
    ];
    if (problems.length > 0) io.stderr.write(`${program}: ${sanitize(problems.join(", "))}\n`);
    refuseUnread(statuses);
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
  names: readonly string[],
  { client, settings: { dialect } }: Connection,
  progress: Progress,
): () => Promise<Status[]> {
  const contents = new Map<string, Promise<string | null>>();
  const contentOf = async (id: string, revisionId: string) => {
    const revision = await client.history.one(id, revisionId);
    return (revision && imageOrCommit(revision)) ?? null;
  };
  const runsOf = async (observed: Observed) => {
    const { id, activeRevisionId: active, latestRevisionId: latest } = observed;
    if (active === latest && active !== null) return imageOrCommit(observed) ?? null;
    if (active === null || dialect.paths.revision === undefined) return null;
    const known = contents.get(active) ?? contentOf(id, active);
    contents.set(active, known);
    known.catch(() => contents.delete(active));
    return known;
  };
  const find = async (name: string) => (await client.find(name)).deployment ?? name;
  const statusOf = async (found: Observed | string) =>
    typeof found === "string"
      ? missingStatus(found)
      : describeStatus(await client.withRevision(found), await runsOf(found), dialect);
  const known = (found: Observed | string) =>
    typeof found === "string" ? missingStatus(found) : describeStatus(found, null, dialect);
  return async () => {
    const found: (Observed | string)[] =
      names.length === 0
        ? sortedByName(await collect(client.list({}), "deployments", progress))
        : await Promise.all([...new Set(names)].map(find));
    // In the wrong dialect, failed deployments would look like rollouts in progress.
    const deployments = found.filter((each) => typeof each !== "string");
    const wrongDialect = otherDialect(deployments, dialect);
    if (wrongDialect !== undefined) throw new UsageError(wrongDialect);
    return readRows(found, progress, statusOf, known);
  };
}

/** Polls until everything is settled, the time is up, or the user presses Ctrl-C. */
async function untilSettled(
  reader: (within: Connection) => () => Promise<Status[]>,
  connection: Connection,
  timeout: number,
  progress: Progress,
  io: Io,
): Promise<Status[]> {
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
  let statuses: Status[] = [];
  let before = "";
  const isSettledNow = async () => {
    try {
      statuses = await read();
    } catch (error) {
      const end = endOf(clock, limits);
      if (end === undefined || statuses.length === 0) throw error;
      return end;
    }
    const open = statuses.filter((each) => !isSettled(each));
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

function progressOf({ name, state, status: word, latestRevision }: Status): string {
  const details = [word, latestRevision?.status].filter(Boolean).join(", ");
  return `${name} (${details || state})`;
}

function isSettled({ state }: Status): boolean {
  return state !== "rolling out" && state !== "deleting";
}

function describeStatus(given: Observed, runs: string | null, dialect: Dialect): Status {
  const observed = withoutTokens(given);
  const { name, id, activeRevisionId: active, latestRevisionId: latest } = observed;
  const deployed = dialect.revisionStatuses?.deployed ?? null;
  return {
    name,
    state: stateOf(observed, dialect),
    type: deploymentTypeOf(observed, dialect),
    id,
    status: observed.status,
    activeRevision: active === null ? null : { id: active, status: deployed },
    latestRevision: latest === null ? null : { id: latest, status: observed.latestRevisionStatus ?? null },
    runs,
    deploys: latest === active ? null : (imageOrCommit(observed) ?? null),
    url: observed.url,
    dashboardUrl: observed.dashboardUrl,
  };
}

function missingStatus(name: string): Status {
  const nothing = {
    type: null,
    id: null,
    status: null,
    activeRevision: null,
    latestRevision: null,
    runs: null,
    deploys: null,
    url: null,
    dashboardUrl: null,
  };
  return { name, state: "missing", ...nothing };
}

function runningText({ activeRevision: active, latestRevision: latest }: Status): string | undefined {
  return active !== null && active.id === latest?.id ? "the newest" : active?.id;
}

/** `registry.example.com/chat:1 => registry.example.com/chat:2` while another one is rolled out. A commit is shortened, as in `git log`. */
function runsText({ runs, deploys }: Status): string | undefined {
  const [now, next] = [runs, deploys].map((text) => text?.replace(/^([0-9a-f]{12})[0-9a-f]{28,}$/, "$1"));
  return next === undefined ? now : `${now ?? "-"} => ${next}`;
}
