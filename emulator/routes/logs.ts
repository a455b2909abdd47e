import type { Json } from "../json";
import { revisionStatus } from "../state/response";
import { timestamp } from "../state/control-plane";
import { latestRevision, type RevisionRecord } from "../state/record";
import { findDeployment, findRevision } from "./find-deployment";
import type { Call, Handler } from "./handler";
import { usualLog } from "./usual-log";

type Kind = "build" | "deploy";

/** What of a log is asked for; the older paths, whose parameters are in a body, answer all of it. */
function pageIn({ query }: Call): { order: string; limit: number; offset: number } {
  const valueOf = (name: string) => query.filters.find(({ filter }) => filter === name)?.value;
  const order = String(valueOf("logOrder") ?? "asc");
  return { order, limit: query.limit || Infinity, offset: Number(valueOf("logOffset") ?? 0) };
}

/** The lines of the script; a filter in a body has no effect. */
function shownLog(call: Call, kind: Kind) {
  const { plane, params } = call;
  const record = findDeployment(call);
  const revision = "revision_id" in params ? findRevision(call, record) : latestRevision(record);
  const own = kind === "build" ? buildLogOf(revision) : undefined;
  const written =
    own ?? plane.settings.logs[kind] ?? (revision === undefined ? [] : usual(call, revision, kind));
  const lines = written.map((message) => ({
    timestamp: timestamp(plane.clock.now()),
    level: "INFO",
    message,
  }));
  const { order, limit, offset } = pageIn(call);
  const ordered = order === "desc" ? lines.reverse() : lines;
  const end = offset + limit;
  const logs: Json = ordered.slice(offset, end);
  return { status: 200, body: { logs, next_offset: end < ordered.length ? String(end) : null } };
}

/** What is written where a revision failed and nobody said what its log holds. */
function usual({ plane }: Call, revision: RevisionRecord, kind: Kind): readonly string[] {
  const status = revisionStatus(plane.rules, revision);
  const failed = status === "DEPLOY_FAILED" ? "deploy" : "build";
  return status.endsWith("_FAILED") && failed === kind ? usualLog[kind] : [];
}

/** Of a build that its script let fail. */
function buildLogOf({ state, rollout }: Partial<RevisionRecord> = {}): readonly string[] | undefined {
  if (state !== "failed" || typeof rollout !== "object" || !("buildLog" in rollout)) return undefined;
  return rollout.buildLog;
}

export const readBuildLogs: Handler = (call) => shownLog(call, "build");
export const readDeployLogs: Handler = (call) => shownLog(call, "deploy");

export const readLogs: Handler = (call) => {
  const type = call.query.filters.find(({ filter }) => filter === "logType")?.value;
  return shownLog(call, type === "build" ? "build" : "deploy");
};
