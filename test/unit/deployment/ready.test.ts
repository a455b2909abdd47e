import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Context } from "../../../provider/deployment/context";
import { diff } from "../../../provider/deployment/diff";
import { waitUntilReady } from "../../../provider/deployment/ready";
import type { ProbeResult } from "../../../provider/deployment/service";
import { UnfinishedError, type State } from "../../../provider/deployment/state";
import { standard } from "../../../provider/dialects/standard";
import { creating, declare, rejectionOf, served, setUp, stateAfter, updating } from "../../support/service";

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
  it("succeeds exactly if one of the expected statuses comes in time, and asks nothing after it", async () => {
    const answer = fc.oneof(
      fc.constantFrom(200, 204, 302, 404, 503).map((status): ProbeResult => ({ status })),
      fc.constant(refused),
    );
    const expected = fc.uniqueArray(fc.constantFrom<number>(200, 204, 302), { minLength: 1 });
    const seconds = fc.integer({ min: 1, max: 300 });
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { minLength: 1 }), expected, seconds, async (probe, status, time) => {
        const { work, clock, service } = asking(probe, { status, timeout: `${time}s` });
        const began = clock.now();
        const isReady = await work.then(
          () => true,
          () => false,
        );
        const passed = clock.now() - began;
        const asked = service.count("probe");
        const isExpected = Array.from({ length: asked }, (_, index) => {
          const each = probe[Math.min(index, probe.length - 1)]!;
          return "status" in each && status.includes(each.status);
        });
        expect(isExpected).toEqual([...Array<boolean>(asked - 1).fill(false), isReady]);
        // A last request goes out in the last second or two.
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
  ])("asks %s for %s at %s", async (at, path, address) => {
    const { work, service } = asking([ok], { path }, {}, at);
    await work;
    expect(service.calls).toEqual([["probe", address]]);
  });

  it("reports its progress from the first second on, when the answer changes, and every half minute", async () => {
    const { work, said } = asking([refused, refused, ...Array<ProbeResult>(8).fill(busy), ok], {
      status: [200, 204],
    });
    await work;
    const waiting = (time: string, answer: string) =>
      `progress: not ready ${time} of 2m: waiting for ${url}/ok to answer 200 or 204 (${answer})`;
    expect(said).toEqual([
      waiting("1s", "could not reach the address (ECONNREFUSED)"),
      waiting("2s", "503"),
      waiting("40s", "503"),
      `progress: ready after 1m1s: ${url}/ok answers 200`,
    ]);
  });

  it.each<[string, ProbeResult, Partial<Context>]>([
    ["503", busy, {}],
    ["302", { status: 302 }, {}],
    ["could not reach the address (ECONNREFUSED)", refused, {}],
    ["503", busy, { timeout: 20_000 }],
  ])("fails with the last answer and what gives more time: %s; %j", async (why, answer, more) => {
    const { work } = asking([answer], { timeout: more.timeout ? "5m" : "20s" }, more);
    expect((await rejectionOf(work)).message).toBe(
      `${url}/ok did not answer 200 within 20s (${why}). The machine that runs \`pulumi\` must be able to reach it. ` +
        "The deployment exists and its revision is active: the next `pulumi up` checks it again, without a new revision. For more time, raise `ready.timeout`, and the resource option `customTimeouts` if " +
        "that is shorter",
    );
  });

  it("ends at Ctrl-C, even while a request is under way", async () => {
    for (const probe of [busy, new Promise<ProbeResult>(() => {})]) {
      const user = new AbortController();
      const { context, clock } = setUp({}, { signal: user.signal });
      Object.assign(context.service, { probe: () => Promise.resolve(probe) });
      const work = rejectionOf(waitUntilReady(context, declared.arguments, { url }));
      await clock.advance(500);
      user.abort();
      expect((await clock.run(work)).message).toMatch(
        /^interrupted: https:\/\/chat\.example\.com\/ok has not answered 200 yet \((503|no answer yet)\)\. /,
      );
    }
  });

  it("shows nothing of an address that the program passed as a secret", async () => {
    const { work, said } = asking(
      [busy],
      { timeout: "3s" },
      { secretPaths: [["sourceConfig", "customUrl"]] },
    );
    expect((await rejectionOf(work)).message).toContain("[secret]/ok did not answer 200");
    expect(said.join()).not.toContain("example.com");
  });

  it.each([null, "chat.example.com"])("warns of an address that cannot be requested: %s", async (at) => {
    const { context, service, said } = setUp({});
    await waitUntilReady(context, declared.arguments, { url: at });
    expect(service.calls).toEqual([]);
    expect(said).toEqual([
      "warning: chat: the service reports no address for it to request, so `ready` was not checked",
    ]);
  });
});

async function failedState(work: Promise<unknown>): Promise<State> {
  const error = await rejectionOf(work);
  expect(error).toBeInstanceOf(UnfinishedError);
  return (error as UnfinishedError).state;
}

describe("a deployment that is rolled out and does not answer", () => {
  /** What its creation leaves behind. */
  const red = () => failedState(creating({ create: [serves], probe: [busy] }, declared).work);

  it("is asked again by the next `up`, which sends nothing and fails until it answers", async () => {
    const again = updating({ read: [serves], probe: [busy] }, declared, await red());
    const still = await failedState(again.work);
    expect(new Set(again.service.methods)).toEqual(new Set(["read", "probe"]));
    const last = updating({ read: [serves], probe: [busy, ok] }, declared, still);
    expect((await last.work).private.rollout).toBeUndefined();
    expect(last.service.methods).toEqual(["read", "probe", "probe"]);
  });

  it.each([
    [{ ready: { path: "/healthz" } }, ["read", "probe"]],
    [{}, ["read"]],
  ])("is asked for what the program says by then: %j", async (more, methods) => {
    const { work, service } = updating({ read: [serves], probe: [ok] }, declare(more), await red());
    expect((await work).private.rollout).toBeUndefined();
    expect(service.methods).toEqual(methods);
  });

  it.each([
    [{ sourceConfig: {} }, {}],
    [{ triggers: 1 }, { latestRevisionId: "r2", activeRevisionId: "r2" }],
  ])("is asked again after a change: %j", async (change, ids) => {
    const next = declare({ ready, ...change }, declared);
    const seen = served(next, { url, ...ids });
    const { work, service } = updating({ update: [seen], poll: [seen], probe: [busy] }, next, await red());
    expect((await failedState(work)).private.rollout).toBeDefined();
    expect(service.count("update")).toBe(1);
    expect(service.count("probe")).toBeGreaterThan(1);
  });

  it("is not asked when it is adopted as it is, because nothing is rolled out", async () => {
    const adopting = declare({ ready, adopt: true });
    const { work, service } = creating({ find: [served(adopting, { url })] }, adopting);
    await work;
    expect(service.methods).toEqual(["find"]);
  });
});

it("settings alone are sent without asking whether the deployment is ready, because nothing is rolled out", async () => {
  const next = declare({ ready, sourceConfig: { buildOnPush: true } }, declared);
  const { work, service } = updating(
    { update: [served(next, { url })] },
    next,
    stateAfter(declared, { url }),
  );
  expect((await work).private.rollout).toBeUndefined();
  expect(service.methods).toEqual(["read", "update"]);
});

it("a change of `ready` alone sends nothing and asks nothing, and the preview says so", async () => {
  const state = stateAfter(declare(), { url });
  expect(diff(state, declared, standard)).toMatchObject({
    plan: { effect: "none" },
    explanation: "changes nothing on the service (ready.path)",
  });
  const { work, service } = updating({}, declared, state);
  expect(await work).toMatchObject({ arguments: { ready } });
  expect(service.calls).toEqual([]);
});
