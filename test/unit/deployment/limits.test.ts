/** Every wait of an operation ends at its time and at Ctrl-C, and what was sent is found out about all the same. */
import { describe, expect, it } from "vitest";
import { UnfinishedError } from "../../../provider/deployment/state";
import { remove } from "../../../provider/deployment/delete";
import { create } from "../../../provider/deployment/create";
import { read } from "../../../provider/deployment/read";
import { update } from "../../../provider/deployment/update";
import { RunClaims } from "../../../provider/deployment/claims";
import type { Context } from "../../../provider/deployment/context";
import type { Request } from "../../../provider/control-plane/transport";
import { standard } from "../../../provider/dialects/standard";
import { limitsOf } from "../../support/limits";
import { address, claimant, declare, rejectionOf, stateAfter } from "../../support/service";
import { latency, serveInVirtualTime, type Reply } from "../../support/transport";

const declared = declare();
const next = declare({ sourceRevisionConfig: { imageUri: "registry.example.com/chat:2" } }, declared);

const wire = (more = {}) => ({
  ...{ id: "d1", name: "chat", source: "external_container", status: "READY", tenant_id: "t1" },
  source_config: { resource_spec: { cpu: 1 } },
  source_revision_config: { image_uri: "registry.example.com/chat:1" },
  secrets: [{ name: "API_KEY", value: "s3cr3t-value" }],
  ...{ created_at: "2030-01-01T00:00:01Z", latest_revision_id: "r1", active_revision_id: null },
  ...more,
});
const list = (...resources: unknown[]): Reply => ({ status: 200, body: { resources, offset: 0 } });
const slowDown: Reply = { status: 429, retryAfter: "20" };

/** @param timeout of the operation, in milliseconds */
function operating(reply: (call: Request, at: number) => Reply | "never", timeout = 5_000) {
  const user = new AbortController();
  const setup = serveInVirtualTime(reply);
  const { clock, client } = setup;
  const { limits, said } = limitsOf(clock, {
    timeout,
    signal: user.signal,
    moreTime: "the resource option `customTimeouts`",
  });
  const log = { info: limits.tell, warning: limits.tell, progress: limits.tell };
  const context: Context = {
    ...limits,
    ...{ address, dialect: standard, run: new RunClaims(), claimant, clock, log, logLines: 20 },
    service: client.within(limits),
  };
  const began = clock.now();
  return { ...setup, context, user, said, elapsed: () => clock.now() - began };
}

const operations: Record<string, (context: Context) => Promise<unknown>> = {
  create: (context: Context) => create(context, declared),
  update: (context: Context) => update(context, "d1", stateAfter(declared), next),
  read: (context: Context) => read(context, "d1", stateAfter(declared)),
  delete: (context: Context) => remove(context, "d1", stateAfter(declared)),
};

describe.each(Object.entries(operations))("%s on a service that asks to slow down", (_name, operate) => {
  it("ends in its time, saying why, with nothing left that waits", async () => {
    const { clock, context, elapsed } = operating(() => slowDown);
    const error = await rejectionOf(clock.run(operate(context)));
    expect(error.message).toContain("429 Too Many Requests; no time is left for the next try in 21s");
    expect(error.message).toContain("there were 5s in all (the resource option `customTimeouts` gives more)");
    expect(elapsed()).toBeLessThanOrEqual(5_000);
    await clock.advance(0);
    expect(clock.sleeping).toBe(0);
  });

  it("ends at once where it asks for more time than there is", async () => {
    const { clock, context, sent, elapsed } = operating(() => ({ status: 429, retryAfter: "60" }));
    const error = await rejectionOf(clock.run(operate(context)));
    expect(error.message).toContain("429 Too Many Requests; no time is left for the next try in 1m1s");
    expect(sent.length).toBeLessThanOrEqual(2);
    expect(elapsed()).toBeLessThanOrEqual(3 * latency);
  });
});

describe("a wait whose polls are not answered", () => {
  const made = ({ method }: Request): Reply | undefined => {
    if (method === "POST") return { status: 201, body: wire() };
    return method === "DELETE" ? { status: 204 } : undefined;
  };
  const waits = [
    ["a rollout", operations["create"]!],
    ["a deletion", operations["delete"]!],
  ] as const;

  it.each(waits)(
    "for %s ends before its time where no poll can be answered in time, saying why",
    async (_, operate) => {
      const reply = (call: Request): Reply => made(call) ?? { status: 429, retryAfter: "60" };
      const { clock, context, elapsed } = operating(reply, 20_000);
      const error = await rejectionOf(clock.run(operate(context)));
      expect(error.message).toContain("GET /v2/deployments answered 429 Too Many Requests");
      expect(elapsed()).toBeLessThan(7_000);
    },
  );

  it.each(waits)(
    "for %s says on the screen why the last poll failed, and asks no faster (I05)",
    async (_, operate) => {
      const { clock, context, said, sent } = operating((call) => made(call) ?? { status: 502 }, 60_000);
      const error = await rejectionOf(clock.run(operate(context)));
      expect(said.join("\n")).toMatch(
        /waiting (for|until) .*; the last poll failed: GET \/v2\/deployments answered 502 Bad Gateway/,
      );
      expect(error.message).toContain(" GET /v2/deployments answered 502 Bad Gateway");
      expect(sent.filter(({ call }) => call.method === "GET").length).toBeLessThanOrEqual(8);
    },
  );
});

describe("a request that is not answered for long", () => {
  it.each(Object.entries(operations))("is told of once, after five seconds (%s)", async (_name, operate) => {
    const { clock, context, user, said } = operating(() => "never", 60_000);
    const work = rejectionOf(operate(context));
    const waiting = () => said.filter((text) => text.startsWith("waiting for the response to "));
    await clock.advance(4_900);
    expect(waiting()).toEqual([]);
    await clock.advance(15_000);
    expect(waiting()).toEqual([
      expect.stringMatching(/^waiting for the response to [A-Z]+ \/v2\/deployments(\/d1)?, for at most 30s$/),
    ]);
    user.abort();
    await clock.run(work);
    expect(clock.sleeping).toBe(0);
  });
});

describe("a creation whose response is lost", () => {
  const losing = (found: Reply) =>
    operating(({ method }) => (method === "POST" ? { status: 201, isLost: true } : found));

  it.each([
    ["at Ctrl-C", 60_000],
    ["when its time is over", latency],
  ])("is looked up %s, and stays in the state", async (_name, timeout) => {
    const setup = operating(
      ({ method }) => (method === "POST" ? { status: 201, isLost: true } : list(wire())),
      timeout,
    );
    const work = rejectionOf(create(setup.context, declared));
    await setup.clock.advance(latency / 2);
    setup.user.abort();
    const error = await setup.clock.run(work);
    expect(error).toBeInstanceOf(UnfinishedError);
    expect(error).toMatchObject({ id: "d1", state: { private: { rollout: { revision: "r1" } } } });
    expect(setup.sent.map(({ call }) => call.method)).toEqual(["POST", "GET"]);
  });

  it("says that nobody knows where the look-up finds no time either", async () => {
    const { clock, context, elapsed } = losing({ status: 429, retryAfter: "60" });
    const error = await rejectionOf(clock.run(create(context, declared)));
    expect(error.message).toContain("It is not known whether the deployment was created");
    expect(elapsed()).toBeLessThanOrEqual(15_000);
  });

  it("is sent again only in its time", async () => {
    const { clock, context, sent, elapsed } = losing(list());
    const error = await rejectionOf(clock.run(create(context, declared)));
    expect(error.message).toContain("lost the connection");
    expect(sent.filter(({ call }) => call.method === "POST").length).toBeGreaterThan(1);
    expect(elapsed()).toBeLessThanOrEqual(5_000);
  });
});

describe("a write that was sent", () => {
  it("is given a moment for its response at Ctrl-C, which alone says what was made", async () => {
    const { clock, context, user } = operating(
      ({ method }) => (method === "POST" ? { status: 201, body: wire() } : list(wire())),
      60_000,
    );
    const work = rejectionOf(create(context, declared));
    await clock.advance(latency / 2);
    user.abort();
    expect(await clock.run(work)).toMatchObject({ id: "d1" });
  });

  it("is not waited for as long as a request may take: it is looked up instead", async () => {
    const { clock, context, user, sent, elapsed } = operating(
      ({ method }) => (method === "POST" ? "never" : list(wire())),
      60_000,
    );
    const work = rejectionOf(create(context, declared));
    await clock.advance(1_000);
    user.abort();
    expect(await clock.run(work)).toMatchObject({ id: "d1" });
    expect(sent.map(({ call }) => call.method)).toEqual(["POST", "GET"]);
    expect(elapsed()).toBeLessThan(12_000);
  });
});
