/** A gateway may say "come back later" in place of a service that has done the work. */
import { expect, it } from "vitest";
import { RunClaims } from "../../../provider/deployment/claims";
import { create } from "../../../provider/deployment/create";
import { update } from "../../../provider/deployment/update";
import type { Context } from "../../../provider/deployment/service";
import { standard } from "../../../provider/dialects/standard";
import { limitsOf } from "../../support/limits";
import { address, declare, stateAfter } from "../../support/service";
import { serveInVirtualTime, type Reply } from "../../support/transport";

const declared = declare();
const next = declare({ sourceRevisionConfig: { imageUri: "registry.example.com/chat:2" } }, declared);

const comeBack: Reply = { status: 503, retryAfter: "7" };

/** A service that does what it is asked, and of whose first `lost` responses to writes a gateway tells nothing. */
function behindGateway(lost: number, isDone: boolean) {
  let image: string | undefined;
  let revision = 1;
  const writes: number[] = [];
  const wire = () => ({
    ...{ id: "d1", name: "chat", source: "external_container", status: "READY", tenant_id: "t1" },
    ...{ source_config: { resource_spec: { cpu: 1 } }, source_revision_config: { image_uri: image } },
    secrets: [{ name: "API_KEY", value: "s3cr3t-value" }],
    ...{ created_at: "2030-01-01T00:00:01Z", updated_at: "2030-01-01T00:00:01Z" },
    ...{ latest_revision_id: `r${revision}`, active_revision_id: `r${revision}` },
  });
  const setup = serveInVirtualTime(({ method, body }, at) => {
    if (method === "GET") {
      return { status: 200, body: { resources: image === undefined ? [] : [wire()], offset: 0 } };
    }
    writes.push(at);
    const isLost = writes.length <= lost;
    if (!isLost || isDone) {
      if (method === "PATCH") revision++;
      image = (body as { source_revision_config: { image_uri: string } }).source_revision_config.image_uri;
    }
    return isLost ? comeBack : { status: 200, body: wire() };
  });
  const { limits, said } = limitsOf(setup.clock, { timeout: 600_000 });
  const log = { info: () => {}, warning: () => {}, progress: () => {} };
  const context: Context = {
    ...limits,
    ...{ address, dialect: standard, run: new RunClaims(), clock: setup.clock, log, logLines: 20 },
    service: setup.client.within(limits),
  };
  return {
    ...{ ...setup, context, said, writes },
    exists: (first: string) => (image = first),
    revisions: () => revision,
  };
}

const operations: Record<string, (context: Context) => Promise<unknown>> = {
  create: (context) => create(context, declared),
  update: (context) => update(context, "d1", stateAfter(declared), next),
};

it.each(Object.entries(operations))(
  "%s is not sent again where it was done behind a 503 that says when to come back",
  async (name, operate) => {
    const service = behindGateway(1, true);
    if (name === "update") service.exists("registry.example.com/chat:1");
    await service.clock.run(operate(service.context));
    expect(service.writes).toHaveLength(1);
    expect(service.revisions()).toBe(name === "update" ? 2 : 1);
  },
);

it.each(Object.entries(operations))(
  "%s waits as often as a 503 says so, and then is sent again, each time after the time that was named",
  async (name, operate) => {
    const service = behindGateway(7, false);
    if (name === "update") service.exists("registry.example.com/chat:1");
    await service.clock.run(operate(service.context));
    expect(service.writes).toHaveLength(8);
    const waits = service.writes.slice(1).map((at, index) => at - service.writes[index]!);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(7_000);
    expect(service.revisions()).toBe(name === "update" ? 2 : 1);
  },
);
