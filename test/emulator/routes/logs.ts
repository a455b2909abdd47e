import type { Json } from "../json";
import { revisionStatus } from "../state/answer";
import { timestamp } from "../state/control-plane";
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
function answer(call: Call, kind: Kind) {
  const { plane, params } = call;
  const record = findDeployment(call);
  const revision = "revision_id" in params ? findRevision(call, record) : undefined;
  const status = revision === undefined ? "" : revisionStatus(plane.rules, revision);
  const failed = status === "DEPLOY_FAILED" ? "deploy" : "build";
  const usual = status.endsWith("_FAILED") && failed === kind ? usualLog[kind] : [];
  const lines = (plane.settings.logs[kind] ?? usual).map((message) => ({
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

export const readBuildLogs: Handler = (call) => answer(call, "build");
export const readDeployLogs: Handler = (call) => answer(call, "deploy");

export const readLogs: Handler = (call) => {
  const type = call.query.filters.find(({ filter }) => filter === "logType")?.value;
  return answer(call, type === "build" ? "build" : "deploy");
};
