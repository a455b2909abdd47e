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

function readLog(call: Call, kind: Kind) {
  const { plane, query } = call;
  const { limit, offset, filters } = query;
  const revision = findRevision(call, findDeployment(call));
  const stamp = { timestamp: timestamp(plane.clock.now()), level: "INFO" };
  const lines = linesOf(call, revision, kind).map((message) => ({ ...stamp, message }));
  const ordered = filters["order"] === "desc" ? lines.reverse() : lines;
  const end = offset + limit;
  const next_offset = end < ordered.length ? String(end) : null;
  return { status: 200, body: { logs: ordered.slice(offset, end), next_offset } };
}

/** The log of the revision's script, else of the settings, else a usual one if the revision failed. */
function linesOf({ plane }: Call, revision: RevisionRecord, kind: Kind): readonly string[] {
  const { logs } = plane.settings;
  if (revision.state !== "failed") return logs[kind] ?? [];
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
