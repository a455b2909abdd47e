import type { HttpResponse } from "./routes/handler";
import type { Inbound } from "./service";
import type { ControlPlane } from "./state/control-plane";
import { labelOf } from "./state/response";
import { settle } from "./state/settle";

export const APPS_PREFIX = "/_apps/";

/**
 * What the application of a deployment answers, whatever it is asked for, and without a key: 200 once a revision is active.
 * Faults let it answer otherwise: `fail({ when: { path: "/_apps/chat" }, how: { status: 503 } })`.
 */
export function serveApp(planes: readonly ControlPlane[], { path }: Pick<Inbound, "path">): HttpResponse {
  const [label] = path.slice(APPS_PREFIX.length).split("/");
  planes.forEach(settle);
  const record = planes.flatMap(({ deployments }) => deployments).find((each) => labelOf(each) === label);
  if (record === undefined) return { status: 404, body: { detail: `There is no application '${label}'.` } };
  if (record.active_revision_id === null) return { status: 503, body: { detail: "No revision is active." } };
  return { status: 200, body: { ok: true } };
}
