import type { HttpResponse } from "./routes/call";
import { labelOf } from "./routes/responses";
import type { ControlPlane } from "./state/control-plane";
import { settle } from "./state/revision-rollout";

export const APPS_PREFIX = "/_apps/";

/**
 * A deployment's application answers every request with 200 once a revision is active, and needs no key. A fault makes it
 * answer something else: `fail({ when: { path: "/_apps/chat" }, how: { status: 503 } })`.
 */
export function serveApp(planes: readonly ControlPlane[], path: string): HttpResponse {
  const [label] = path.slice(APPS_PREFIX.length).split("/");
  planes.forEach(settle);
  const record = planes.flatMap(({ deployments }) => deployments).find((each) => labelOf(each) === label);
  if (record === undefined) return { status: 404, body: { detail: `There is no application '${label}'.` } };
  if (record.active_revision_id === null) return { status: 503, body: { detail: "No revision is active." } };
  return { status: 200, body: { ok: true } };
}
