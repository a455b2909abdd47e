import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diff } from "../../../provider/deployment/diff";
import { create } from "../../../provider/deployment/create";
import { update } from "../../../provider/deployment/update";
import { waitUntilReady } from "../../../provider/deployment/ready";
import type { Context } from "../../../provider/deployment/context";
import type { ProbeResult } from "../../../provider/deployment/service";
import { UnfinishedError, type State } from "../../../provider/deployment/state";
import { standard } from "../../../provider/dialects/standard";
import { declare, rejectionOf, served, setUp, stateAfter, type Scripts } from "../../support/service";

const url = "https://chat.example.com";
const ready = { path: "/ok" };
const declared = declare({ ready });
const serves = served(declared, { url });
const ok: ProbeResult = { status: 200 };
const busy: ProbeResult = { status: 503 };
const refused: ProbeResult = { problem: "could not reach the address (ECONNREFUSED)" };

/** Asks a deployment whether it is ready. */
function asking(probe: readonly ProbeResult[], given: object = {}, more: Partial<Context> = {}, at = url) {
  const setup = setUp({ probe }, more);
  const args = { name: "chat", ready: { ...ready, ...given } };
  const work = setup.clock.run(waitUntilReady(setup.context, args, { url: at }));
  return { ...setup, work };
}

describe("waiting until a deployment answers", () => {
  it("ends well if and only if one of the wanted statuses comes in time, and asks nothing after it", async () => {
    const answer = fc.oneof(
      fc.constantFrom(200, 204, 302, 404, 503).map((status): ProbeResult => ({ status })),
      fc.constant(refused),
    );
    const wanted = fc.uniqueArray(fc.constantFrom<number>(200, 204, 302), { minLength: 1 });
    const seconds = fc.integer({ min: 1, max: 300 });
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { minLength: 1 }), wanted, seconds, async (probe, status, time) => {
        const { work, clock, service } = asking(probe, { status, timeout: `${time}s` });
        const began = clock.now();
        const isReady = await work.then(
          () => true,
          () => false,
        );
        const passed = clock.now() - began;
        const isWanted = (each: ProbeResult) => "status" in each && status.includes(each.status);
        const asked = service.count("probe");
        const answers = Array.from(
          { length: asked },
          (_, index) => probe[Math.min(index, probe.length - 1)]!,
        );
        expect(answers.map(isWanted)).toEqual([...Array<boolean>(asked - 1).fill(false), isReady]);
        // Nothing comes too late, and nothing is given up early: a last request goes out in the last second or two.
        expect(passed).toBeLessThanOrEqual(time * 1000);
        if (!isReady) expect(passed).toBeGreaterThanOrEqual((time - 2) * 1000);
        expect(asked).toBeLessThanOrEqual(8 + time / 9);
      }),
    );
  });

  it.each([
    [url, "/ok", `${url}/ok`],
    [`${url}/`, "/ok?deep=1", `${url}/ok?deep=1`],
    ["https://user:password@example.com/base/?a=1#b", "/ok", "https://example.com/base/ok"],
    ["http://127.0.0.1:8787/_apps/chat", "/ok", "http://127.0.0.1:8787/_apps/chat/ok"],
    [url, "//elsewhere.example.com/ok", `${url}//elsewhere.example.com/ok`],
  ])("asks %s for %s: %s", async (at, path, address) => {
    const { work, service } = asking([ok], { path }, {}, at);
    await work;
    expect(service.calls).toEqual([["probe", address]]);
  });

  it("says what it waits for when the answer changes, and every half a minute", async () => {
    const { work, said } = asking([refused, ...Array<ProbeResult>(8).fill(busy), ok], {
      status: [200, 204],
    });
    await work;
    expect(said).toEqual([
      `progress: waiting for ${url}/ok to answer 200 or 204 (could not reach the address (ECONNREFUSED), 0ms of at most 2m)`,
      `progress: waiting for ${url}/ok to answer 200 or 204 (503, 1s of at most 2m)`,
      `progress: waiting for ${url}/ok to answer 200 or 204 (503, 41s of at most 2m)`,
      `progress: ${url}/ok answers 200 (after 51s)`,
    ]);
  });

  const next =
    "The deployment exists and its revision is active: the next `pulumi up` checks it again, without a new revision";
  it.each<[string, ProbeResult, object, string]>([
    ["another status", busy, {}, "the last answer was 503"],
    ["a redirect", { status: 302 }, {}, "the last answer was 302"],
    [
      "no connection",
      refused,
      {},
      "the last request could not reach the address (ECONNREFUSED); the machine that runs `pulumi` must be able to reach this address",
    ],
  ])("fails in the end with what came last: %s", async (_, answer, given, why) => {
    const error = await rejectionOf(asking([answer], { timeout: "20s", ...given }).work);
    expect(error.message).toBe(
      `${url}/ok did not answer 200 within 20s: ${why}. ${next}. For more time, raise \`ready.timeout\``,
    );
  });

  it("also ends with the operation, and names the option that gives that more time", async () => {
    const moreTime = "the resource option `customTimeouts`";
    const { work } = asking([busy], { timeout: "5m" }, { timeout: 20_000, moreTime });
    expect((await rejectionOf(work)).message).toBe(
      `${url}/ok did not answer 200 within 20s: the last answer was 503. ${next}. For more time, raise ${moreTime}`,
    );
  });

  it("ends at Ctrl-C, also while a request is under way", async () => {
    for (const probe of [[busy], [new Promise<ProbeResult>(() => {})]]) {
      const user = new AbortController();
      const { context, clock } = setUp({}, { signal: user.signal });
      const service = { ...context.service, probe: () => Promise.resolve(probe[0]!) };
      const work = rejectionOf(waitUntilReady({ ...context, service }, declared.arguments, { url }));
      await clock.advance(500);
      user.abort();
      expect((await clock.run(work)).message).toMatch(
        /^interrupted: https:\/\/chat\.example\.com\/ok has not answered 200 yet: (the last answer was 503|there was no answer)\. /,
      );
    }
  });

  it("shows nothing of an address that the program passed as a secret", async () => {
    const secretPaths = [["sourceConfig", "customUrl"]];
    const { work, said } = asking([busy], { timeout: "3s" }, { secretPaths });
    expect((await rejectionOf(work)).message).toContain("[secret]/ok did not answer 200");
    expect(said.join()).not.toContain("example.com");
  });

  it.each([
    [null, "chat: the service does not report an address for it, so `ready` was not checked"],
    [
      "chat.example.com",
      "chat: its address does not begin with http:// or https://, so `ready` was not checked",
    ],
  ])("warns of an address that nobody can ask: %s", async (at, warning) => {
    const { context, service, said } = setUp({});
    await waitUntilReady(context, declared.arguments, { url: at });
    expect(service.calls).toEqual([]);
    expect(said).toEqual([`warning: ${warning}`]);
  });
});

describe("a deployment that is rolled out and does not answer", () => {
  const failedState = async (work: Promise<unknown>): Promise<State> => {
    const error = await rejectionOf(work);
    expect(error).toBeInstanceOf(UnfinishedError);
    return (error as UnfinishedError).state;
  };
  const updating = (scripts: Scripts, next: ReturnType<typeof declare>, state: State) => {
    const setup = setUp(scripts);
    return { ...setup, work: setup.clock.run(update(setup.context, "d1", state, next)) };
  };
  /** What a creation leaves behind that is not answered. */
  const red = async () => {
    const { context, clock } = setUp({ create: [serves], probe: [busy] });
    return failedState(clock.run(create(context, declared)));
  };

  it("is asked again by the next up, which sends nothing and never ends well over it", async () => {
    const state = await red();
    const again = updating({ read: [serves], probe: [busy] }, declared, state);
    const still = await failedState(again.work);
    expect(new Set(again.service.methods)).toEqual(new Set(["read", "probe"]));
    const last = updating({ read: [serves], probe: [busy, ok] }, declared, still);
    expect((await last.work).private.rollout).toBeUndefined();
    expect(last.service.methods).toEqual(["read", "probe", "probe"]);
  });

  it.each([
    ["is asked for what the program says by then", { ready: { path: "/healthz" } }, ["read", "probe"]],
    ["is not asked where the program gives `ready` up", {}, ["read"]],
    ["is not asked with skipAwait", { ready, skipAwait: true }, []],
  ])("%s", async (_, more, methods) => {
    const { work, service } = updating({ read: [serves], probe: [ok] }, declare(more), await red());
    expect((await work).private.rollout).toBeUndefined();
    expect(service.methods).toEqual(methods);
  });

  it("is asked again after a change of settings, and after a new revision", async () => {
    for (const more of [{ sourceConfig: {} }, { triggers: 1 }]) {
      const next = declare({ ready, ...more }, declared);
      const ids = "triggers" in more ? { latestRevisionId: "r2", activeRevisionId: "r2" } : {};
      const seen = served(next, { url, ...ids });
      const { work, service } = updating({ update: [seen], poll: [seen], probe: [busy] }, next, await red());
      expect(await failedState(work)).toMatchObject({
        private: { rollout: { previous: expect.any(Array) } },
      });
      expect(service.count("update")).toBe(1);
      expect(service.count("probe")).toBeGreaterThan(1);
    }
  });

  it("fails its adoption, although nothing is rolled out", async () => {
    const adopting = declare({ ready, adopt: true });
    const { context, clock, service } = setUp({ find: [served(adopting, { url })], probe: [busy] });
    const state = await failedState(clock.run(create(context, adopting)));
    expect(state.private.rollout).toMatchObject({ revision: "r1", previous: [] });
    expect(new Set(service.methods)).toEqual(new Set(["find", "probe"]));
  });
});

describe("a deployment that runs", () => {
  const state = stateAfter(declare(), { url });

  it("is not asked when only `ready` changes: that rolls out nothing, and the preview says so", async () => {
    expect(diff(state, declared, standard)).toMatchObject({
      plan: { kind: "none" },
      explanation: "chat: checks `ready` from the next rollout on; nothing is sent now",
    });
    const { context, clock, service } = setUp({});
    expect(await clock.run(update(context, "d1", state, declared))).toMatchObject({ arguments: { ready } });
    expect(service.calls).toEqual([]);
  });

  it("is not asked when settings change", async () => {
    const next = declare({ ready, sourceConfig: {} }, declare());
    const { context, clock, service } = setUp({ update: [served(next, { url })] });
    await clock.run(update(context, "d1", state, next));
    expect(service.methods).toEqual(["update"]);
  });
});
