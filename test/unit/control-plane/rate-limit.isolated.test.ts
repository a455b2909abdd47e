/** A service that asks to slow down: what the whole connection does then, and when. Time is virtual. */
import { describe, expect, it, vi } from "vitest";
import type { ApiCall } from "../../../provider/control-plane/transport";
import { Transport } from "../../../provider/control-plane/transport";
import type { Limits } from "../../../provider/time/limits";
import { failureOf, get } from "../../support/http";
import { limitsOf } from "../../support/limits";
import { serveInVirtualTime, type Reply, type Sent } from "../../support/transport";

/** @param reply what a request is answered that arrives at a time, in milliseconds since the beginning */
function connect(reply: (at: number, count: number) => Reply, maxConcurrency = 8) {
  const { http, clock, sent } = serveInVirtualTime((_call, at, count) => reply(at, count), {
    maxConcurrency,
  });
  const call = (path: string, limits: Limits = limitsOf(clock).limits, more: Partial<ApiCall> = {}) =>
    http.call({ ...get, path, ...more }, limits);
  return { clock, sent, call };
}

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `/${at}`);
const refused = ({ status }: Sent) => status !== 200;
/** A service that refuses in its first second, and says when to come back. */
const refusing =
  (more: Partial<Reply> = {}) =>
  (at: number): Reply =>
    at < 1_000 ? { status: 429, retryAfter: "20", ...more } : { status: 200 };

describe("a service that asks to slow down", () => {
  it.each([429, 503])(
    "with %i and Retry-After gets no request of the connection until then",
    async (status) => {
      const { clock, sent, call } = connect(refusing({ status }));
      const first = call("/first");
      await clock.advance(1_500);
      const others = numbered(5).map((path) => call(path));
      await clock.run(Promise.all([first, ...others]));
      expect(sent.filter(refused)).toHaveLength(1);
      expect(sent.slice(1).every(({ at }) => at >= 20_000 && at < 25_000)).toBe(true);
    },
  );

  const detail = "quota exceeded: 3 of 3 deployments";
  it.each<[string, Partial<Reply>, string]>([
    ["without a reason", {}, "the service asks to slow down (429)"],
    ["with one", { body: { detail } }, `GET /a answered 429 Too Many Requests: ${detail}`],
  ])(
    "%s says on the screen of all that wait what they wait for, and a reason beside the refused request alone, since it may repeat what that sent",
    async (_, more, why) => {
      const { clock, call } = connect(refusing(more));
      const [a, b] = [limitsOf(clock, { timeout: 300_000 }), limitsOf(clock, { timeout: 60_000 })];
      const first = call("/a", a.limits);
      await clock.advance(1_040);
      await clock.run(Promise.all([first, call("/b", b.limits)]));
      expect(a.said).toEqual([`retries in 21s of 5m: ${why}`]);
      expect(b.said).toEqual(["retries in 20s of 1m: the service asks to slow down (429)"]);
    },
  );

  it("is asked again not before the time that it says, and by each connection a little later than by others", async () => {
    const comesBack = async (chance: number) => {
      const { clock, sent, call } = connect(refusing());
      clock.random = () => chance;
      await clock.run(call("/"));
      return sent.at(-1)!.at - sent[0]!.at;
    };
    const [first, second, third] = [await comesBack(0), await comesBack(0.5), await comesBack(1)];
    expect(first).toBeGreaterThanOrEqual(20_000);
    expect(second).toBeGreaterThan(first);
    expect(third).toBeGreaterThan(second);
    expect(third).toBeLessThan(22_000);
  });

  it.each([undefined, "-5", "1.5"])("without a time (%s) is retried for a minute", async (retryAfter) => {
    const { clock, sent, call } = connect(() => ({ status: 429, ...(retryAfter && { retryAfter }) }));
    const began = clock.now();
    expect((await clock.run(failureOf(call("/")))).kind).toBe("rate-limited");
    expect(sent.length).toBeLessThanOrEqual(12);
    expect(clock.now() - began).toBeGreaterThan(60_000);
    expect(clock.now() - began).toBeLessThan(120_000);
  });

  it.each([
    ["20", "21s"],
    ["7200", "2h1s"],
  ])(
    "for %s s fails an operation that has less at once; what was not sent is not ambiguous",
    async (retryAfter, wait) => {
      const { clock, sent, call } = connect(() => ({ status: 429, retryAfter }));
      const { limits } = limitsOf(clock, {
        timeout: 5_000,
        moreTime: "the resource option `customTimeouts`",
      });
      const post = { method: "POST", idempotent: false } as const;
      const refusedOnce = await clock.run(failureOf(call("/", limits, post)));
      expect(refusedOnce).toMatchObject({ kind: "rate-limited", status: 429, isAmbiguous: false });
      expect(refusedOnce.message).toBe(
        `POST / answered 429 Too Many Requests; no time is left for the next try in ${wait}: there were 5s in all (the resource ` +
          "option `customTimeouts` gives more)",
      );
      const neverSent = await clock.run(failureOf(call("/other", limits, post)));
      expect(neverSent).toMatchObject({ kind: "out-of-time", isAmbiguous: false });
      expect(neverSent.message).toBe(
        `POST /other was not sent: the service asks to slow down (429) for another ${wait}, and there were 5s in all (the resource ` +
          "option `customTimeouts` gives more)",
      );
      expect(sent).toHaveLength(1);
      expect(clock.sleeping).toBe(0);
    },
  );

  it("is waited for as often as it asks, without an end to the tries", async () => {
    const { clock, sent, call } = connect((_at, count) =>
      count <= 50 ? { status: 429, retryAfter: "1" } : { status: 200 },
    );
    await clock.run(call("/"));
    expect(sent).toHaveLength(51);
  });
});

it("a request that waits for its turn says so, and gives up at the end of its time or of the user's patience", async () => {
  const { clock, sent, call } = connect(() => ({ status: 200 }), 1);
  vi.mocked(Transport.prototype.send).mockImplementation(() => new Promise(() => undefined));
  void call("/for ever").catch(() => undefined);
  const user = new AbortController();
  const [brief, patient] = [limitsOf(clock, { timeout: 5_000 }), limitsOf(clock, { signal: user.signal })];
  const failures = [brief, patient].map(({ limits }) => failureOf(call("/", limits)));
  await clock.advance(5_000);
  expect((await failures[0]!).message).toBe(
    "GET / was not sent: others were sent before it, and there were 5s in all",
  );
  expect(brief.said).toEqual(["waits 5s at most for its turn with 2 requests"]);
  user.abort();
  expect(await failures[1]!).toMatchObject({
    kind: "interrupted",
    message: "GET / was not sent: interrupted",
  });
  expect(sent).toEqual([]);
});

it("a request that gave up waiting for its turn leaves it to the next one", async () => {
  const { clock, sent, call } = connect(() => ({ status: 200 }), 1);
  const first = call("/first");
  const failed = failureOf(call("/impatient", limitsOf(clock, { timeout: 5 }).limits));
  const last = call("/last");
  await clock.run(Promise.all([first, failed, last]));
  expect(sent.map(({ call: { path } }) => path)).toEqual(["/first", "/last"]);
});

describe("what is in flight", () => {
  /** How many requests are on their way at the same time, at most. */
  const mostTogether = (sent: readonly Sent[]) =>
    Math.max(...sent.map(({ at }) => sent.filter((other) => other.at === at).length));

  it("is as much as the setting allows, in the order of arrival", async () => {
    const { clock, sent, call } = connect(() => ({ status: 200 }));
    await clock.run(Promise.all(numbered(30).map((path) => call(path))));
    expect(mostTogether(sent)).toBe(8);
    expect(sent.map(({ call: { path } }) => path)).toEqual(numbered(30));
  });

  it("frees its place even if a response is lost", async () => {
    const { clock, sent, call } = connect(
      (_at, count) => (count <= 3 ? { status: 200, isLost: true } : { status: 200 }),
      1,
    );
    await clock.run(Promise.all(numbered(3).map((path) => call(path))));
    expect(sent).toHaveLength(6);
    expect(clock.sleeping).toBe(0);
  });
});
