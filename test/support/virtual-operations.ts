/** Operations on a service in virtual time. */
import { RunClaims } from "../../provider/deployment/claims";
import type { Context } from "../../provider/deployment/context";
import { standard } from "../../provider/dialects/standard";
import type { Limits } from "../../provider/time/limits";
import { limitsOf } from "./limits";
import { address, claimant } from "./service";
import { serveInVirtualTime } from "./transport";

/** What the context of an operation needs; `said` holds everything that the operation reports. */
export function operateInVirtualTime(
  reply: Parameters<typeof serveInVirtualTime>[0],
  more: Partial<Limits> = {},
) {
  const setup = serveInVirtualTime(reply);
  const { clock, client } = setup;
  const { limits, said } = limitsOf(clock, more);
  const log = { info: limits.tell, warning: limits.tell, progress: limits.tell, isWatched: false };
  const context: Context = {
    ...limits,
    ...{
      address,
      tenantId: "t1",
      dialect: standard,
      run: new RunClaims(),
      claimant,
      clock,
      log,
      logLines: 20,
    },
    service: client.within(limits),
  };
  const began = clock.now();
  return { ...setup, context, said, elapsed: () => clock.now() - began };
}

/** Deployment d1 as the service answers it. */
export const wire = (more: object = {}) => ({
  ...{ id: "d1", name: "chat", source: "external_container", status: "READY", tenant_id: "t1" },
  source_config: { resource_spec: { cpu: 1 } },
  source_revision_config: { image_uri: "registry.example.com/chat:1" },
  secrets: [{ name: "API_KEY", value: "s3cr3t-value" }],
  ...{ created_at: "2030-01-01T00:00:01Z", latest_revision_id: "r1", active_revision_id: "r1" },
  ...more,
});
