/** Every wait of an operation ends at its time limit and at Ctrl-C, and the outcome of what was sent is looked up. */
import { describe, expect, it } from "vitest";
import type { Context } from "../../../provider/deployment/context";
import { create } from "../../../provider/deployment/create";
import { remove } from "../../../provider/deployment/delete";
import { read } from "../../../provider/deployment/read";
import { UnfinishedError } from "../../../provider/deployment/state";
import { update } from "../../../provider/deployment/update";
import type { ApiCall } from "../../../provider/control-plane/transport";
import { declare, operateInVirtualTime, rejectionOf, stateAfter, wire } from "../../support/service";
import { latency, type Reply } from "../../support/transport";

const declared = declare();
const next = declare({ sourceRevisionConfig: { imageUri: "registry.example.com/chat:2" } }, declared);
const created = wire({ active_revision_id: null });
const list: Reply = { status: 200, body: { resources: [created], offset: 0 } };

/** @param timeout of the operation, in milliseconds */
function operating(reply: (call: ApiCall) => Reply | "never", timeout = 5_000) {
  const user = new AbortController();
  const more = { timeout, signal: user.signal, moreTime: "the resource option `customTimeouts`" };
  return { ...operateInVirtualTime(reply, more), user };
}

const operations: Record<string, (context: Context) => Promise<unknown>> = {
  create: (context) => create(context, declared),
  update: (context) => update(context, "d1", stateAfter(declared), next),
  read: (context) => read(context, "d1", stateAfter(declared)),
  delete: (context) => remove(context, "d1", stateAfter(declared)),
};

describe.each(Object.entries(operations))("%s", (_name, operate) => {
  it("ends in its time on a service that asks to slow down, says why, and leaves no timer behind", async () => {
    const { clock, context, elapsed } = operating(() => ({ status: 429, retryAfter: "20" }));
    const error = await rejectionOf(clock.run(operate(context)));
    expect(error.message).toContain("429 Too Many Requests; no time is left for the next try in 21s");
    expect(error.message).toContain("there were 5s in all (the resource option `customTimeouts` gives more)");
    expect(elapsed()).toBeLessThanOrEqual(5_000);
    await clock.advance(0);
    expect(clock.sleeping).toBe(0);
  });

  it("reports a request without a response once, after five seconds", async () => {
    const { clock, context, user, said } = operating(() => "never", 60_000);
    const work = rejectionOf(operate(context));
    const waiting = () => said.filter((text) => text.includes("at most for the response to "));
    await clock.advance(4_900);
    expect(waiting()).toEqual([]);
    await clock.advance(15_000);
    expect(waiting()).toEqual([
      expect.stringMatching(
        /^progress: waits 30s at most for the response to [A-Z]+ \/v2\/deployments(\/d1)?$/,
      ),
    ]);
    user.abort();
    await clock.run(work);
    expect(clock.sleeping).toBe(0);
  });
});

describe.each(["create", "delete"])("the wait of a %s whose polls all fail", (name) => {
  const accepting = (poll: Reply, timeout: number) =>
    operating(({ method }) => {
      if (method === "POST") return { status: 201, body: created };
      return method === "DELETE" ? { status: 204 } : poll;
    }, timeout);
  const operate = operations[name]!;

  it("ends early if no poll can be answered in time, and says why", async () => {
    const { clock, context, elapsed } = accepting({ status: 429, retryAfter: "60" }, 20_000);
    const error = await rejectionOf(clock.run(operate(context)));
    expect(error.message).toMatch(
      /^GET \/v2\/deployments answered 429 Too Many Requests; the next GET \/v2\/deployments was not sent: the service asks to slow down \(429\) for another 58s, and there were 20s in all/,
    );
    expect(elapsed()).toBeLessThan(7_000);
  });

  it("shows why the last poll failed, and polls no faster (I05)", async () => {
    const { clock, context, said, sent } = accepting({ status: 502 }, 60_000);
    const error = await rejectionOf(clock.run(operate(context)));
    expect(said.join("\n")).toMatch(
      /waiting (for|until) .*; the last poll failed: GET \/v2\/deployments answered 502 Bad Gateway/,
    );
    expect(error.message).toContain(" GET /v2/deployments answered 502 Bad Gateway");
    expect(sent.filter(({ call }) => call.method === "GET").length).toBeLessThanOrEqual(8);
  });
});

it.each<[what: string, answer: Reply | "never", timeout: number, pressed: number, looksUp: boolean]>([
  ["whose response is lost", { status: 201, isLost: true }, 60_000, latency / 2, true],
  ["whose response is lost when the time is over", { status: 201, isLost: true }, latency, latency / 2, true],
  ["that gets a moment for its response", { status: 201, body: created }, 60_000, latency / 2, false],
  ["that has no response", "never", 60_000, 1_000, true],
])(
  "the deployment of a POST %s stays in the state at Ctrl-C, and is looked up if need be",
  async (_, answer, timeout, pressed, looksUp) => {
    const { clock, context, user, sent, elapsed } = operating(
      ({ method }) => (method === "POST" ? answer : list),
      timeout,
    );
    const work = rejectionOf(create(context, declared));
    await clock.advance(pressed);
    user.abort();
    const error = await clock.run(work);
    expect(error).toBeInstanceOf(UnfinishedError);
    expect(error).toMatchObject({ id: "d1", state: { private: { rollout: { revision: "r1" } } } });
    expect(sent.map(({ call }) => call.method)).toEqual(looksUp ? ["POST", "GET"] : ["POST"]);
    expect(elapsed()).toBeLessThan(12_000);
  },
);
