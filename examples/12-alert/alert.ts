import * as langsmith from "@pulumi/langsmith";
import type { Deployment } from "pulumi-deployment-service";

/** Ten failed runs within fifteen minutes call the webhook. */
export function alertOnErrors(name: string, { tracerSessionId }: Deployment): langsmith.AlertRule {
  return new langsmith.AlertRule(`${name}-errors`, {
    sessionId: tracerSessionId.apply((id) => id!),
    name: `${name}: many errors`,
    type: "threshold",
    attribute: "error_count",
    aggregation: "sum",
    windowMinutes: 15,
    operator: "gte",
    threshold: 10,
    filter: "eq(is_root, true)",
    actions: [
      { target: "webhook", urlEnv: "ALERTS_WEBHOOK_URL", configJson: JSON.stringify({ body: "{}" }) },
    ],
  });
}
