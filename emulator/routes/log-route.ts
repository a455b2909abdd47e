import { timestamp } from "../state/service-clock";
import type { RevisionRecord } from "../state/deployment-record";
import { findDeployment, findRevision, type Call, type Handler } from "./call";
import { revisionStatus } from "./responses";

type Kind = "build" | "deploy";

export const readLogs: Handler = (call) =>
  readLog(call, call.query.filters["type"] === "build" ? "build" : "deploy");
/** The older endpoints take filters in a body, which have no effect here, and return the whole log. */
export const readBuildLogs: Handler = (call) => readLog(call, "build");
export const readDeployLogs: Handler = (call) => readLog(call, "deploy");

/** The server's newer endpoint takes everything as query parameters. */
export const readDeploymentLogs: Handler = (call) => {
  const { filters } = call.query;
  const { deployment_id, revision_id, page_size = 20, cursor = "0" } = filters;
  const params = {
    deployment_id: String(deployment_id),
    ...(revision_id && { revision_id: String(revision_id) }),
  };
  const kind = filters["log_type"] === "BUILD" ? "build" : "deploy";
  const query = {
    filters: { order: filters["sort_order"] ?? "asc" },
    limit: Number(page_size),
    offset: Number(cursor),
  };
  const { entries, next } = pageOf({ ...call, params, query }, kind);
  return { status: 200, body: { items: entries, next_cursor: next } };
};

function readLog(call: Call, kind: Kind) {
  const { entries, next } = pageOf(call, kind);
  return { status: 200, body: { logs: entries, next_offset: next } };
}

function pageOf(call: Call, kind: Kind) {
  const { plane, params, query } = call;
  const { limit, offset, filters } = query;
  const record = findDeployment(call);
  const revision = "revision_id" in params ? findRevision(call, record) : record.revisions.at(-1);
  const now = plane.clock.now();
  const time = plane.settings.logTimes === "text" ? timestamp(now) : now;
  const lines = linesOf(call, revision, kind).map((message) => ({ timestamp: time, level: "INFO", message }));
  const ordered = filters["order"] === "desc" ? lines.reverse() : lines;
  const end = offset + limit;
  return { entries: ordered.slice(offset, end), next: end < ordered.length ? String(end) : null };
}

/** The log of the revision's script, else of the settings, else a usual one if the revision failed. */
function linesOf({ plane }: Call, revision: RevisionRecord | undefined, kind: Kind): readonly string[] {
  const { logs } = plane.settings;
  if (revision?.state !== "failed") return logs[kind] ?? [];
  const { rollout } = revision;
  const own = typeof rollout === "object" && "buildLog" in rollout ? rollout.buildLog : undefined;
  const scripted = (kind === "build" ? own : undefined) ?? logs[kind];
  if (scripted !== undefined) return scripted;
  const failed = revisionStatus(plane.rules, revision) === "DEPLOY_FAILED" ? "deploy" : "build";
  if (failed === kind) return usualLogs[kind];
  return kind === "build" ? [madeUp] : [];
}

const madeUp = "emulator: it builds and runs nothing, so this log is made up";

const usualLogs: Readonly<Record<Kind, readonly string[]>> = {
  build: [
    madeUp,
    "#5 [internal] load build definition from Dockerfile",
    "#8 [2/6] RUN pip install -r requirements.txt",
    "#8 2.114 Collecting fastapi==0.115.99",
    "#8 2.671 ERROR: Could not find a version that satisfies the requirement fastapi==0.115.99 (from versions: 0.115.0, 0.115.6)",
    "#8 2.673 \u001b[31mERROR: No matching distribution found for fastapi==0.115.99\u001b[0m",
    '#8 ERROR: process "/bin/sh -c pip install -r requirements.txt" did not complete successfully: exit code: 1',
    "error: failed to solve: exit code: 1",
  ],
  deploy: [madeUp, "Pulling image", "Starting server on port 8000", "Back-off restarting failed container"],
};
