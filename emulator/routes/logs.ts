import type { Json } from "../json";
import { timestamp } from "../state/control-plane";
import { latestRevision, type RevisionRecord } from "../state/record";
import { findDeployment, findRevision } from "./find-deployment";
import type { Call, Handler } from "./handler";

type Kind = "build" | "deploy";

/** The lines of the script, all of them; a filter in a body has no effect. */
function answer(call: Call, kind: Kind) {
  const { plane, params } = call;
  const record = findDeployment(call);
  const revision = "revision_id" in params ? findRevision(call, record) : latestRevision(record);
  const own = kind === "build" ? buildLogOf(revision) : undefined;
  const logs: Json = (own ?? plane.settings.logs[kind] ?? []).map((message) => ({
    timestamp: timestamp(plane.clock.now()),
    level: "INFO",
    message,
  }));
  return { status: 200, body: { logs, next_offset: null } };
}

/** Of a build that its script let fail. */
function buildLogOf({ state, rollout }: Partial<RevisionRecord> = {}): readonly string[] | undefined {
  if (state !== "failed" || typeof rollout !== "object" || !("buildLog" in rollout)) return undefined;
  return rollout.buildLog;
}

export const readBuildLogs: Handler = (call) => answer(call, "build");
export const readDeployLogs: Handler = (call) => answer(call, "deploy");

export const readLogs: Handler = (call) => {
  const type = call.query.filters.find(({ filter }) => filter === "logType")?.value;
  return answer(call, type === "build" ? "build" : "deploy");
};
