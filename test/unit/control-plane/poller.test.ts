import { describe, expect, it } from "vitest";
import { type PollRequest, Poller } from "../../../provider/control-plane/poller";
import { ReadResults } from "../../../provider/control-plane/read-results";
import { VirtualClock } from "../../support/clock";
import { limitsOf } from "../../support/limits";
import { observed } from "../../support/observed";

const first = 2_000;

function setUp(interval = first) {
  const clock = new VirtualClock();
  const began = clock.now();
  /** When each request was made, in milliseconds since the beginning, and for what. */
  const requests: { at: number; ids: readonly string[] }[] = [];
  const broken = new Set<string>();
  const gone = new Set<string>();
  const ask = (asked: readonly PollRequest[]): Promise<ReadResults> => {
    const ids = asked.map(({ id }) => id);
    requests.push({ at: clock.now() - began, ids });
    if (ids.some((id) => broken.has(id))) return Promise.reject(new Error("unavailable"));
    const there = ids.filter((id) => !gone.has(id)).map((id) => observed({ id }));
    return Promise.resolve(new ReadResults(there));
  };
  const shared = new Poller((asked) => ask(asked), clock, interval);
  const poller = {
    poll: (id: string, signal?: AbortSignal) =>
      shared.poll({ id, awaitsDeletion: false }, limitsOf(clock, { signal }).limits),
  };
  /** Polls again and again, as whoever waits for a rollout does. */
  const follow = (id: string, polls: number) =>
    (async () => {
      for (let poll = 0; poll < polls; poll++) {
        await poller.poll(id);
        for (let step = 0; step < 20; step++) await Promise.resolve();
      }
    })();
  return { clock, requests, broken, gone, poller, follow };
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `d${index}`);

describe("a poll", () => {
  it("never comes before the first interval (J12)", async () => {
    const { clock, requests, poller } = setUp();
    const poll = poller.poll("a");
    await clock.advance(first - 1);
    expect(requests).toEqual([]);
    await clock.advance(1);
    expect(requests).toEqual([{ at: first, ids: ["a"] }]);
    expect(await poll).toMatchObject({ id: "a" });
  });

  it("is shared: 200 that wait cost two requests (J14)", async () => {
    const { clock, requests, follow } = setUp();
    await clock.run(Promise.all(numbered(200).map((id) => follow(id, 3))));
    expect(requests.map(({ ids }) => ids.length)).toEqual([100, 100, 100, 100, 100, 100]);
    expect(new Set(requests.map(({ at }) => at)).size).toBe(3);
  });

  it("that fails rejects only those whose request it was", async () => {
    const { clock, broken, poller } = setUp();
    broken.add("d150");
    const results = await clock.run(Promise.allSettled(numbered(200).map((id) => poller.poll(id))));
    const rejected = results.flatMap(({ status }, index) => (status === "rejected" ? [index] : []));
    expect(rejected).toEqual(Array.from({ length: 100 }, (_, index) => index + 100));
  });

  it("is not made for who has given up", async () => {
    const { clock, requests, poller } = setUp();
    const patience = new AbortController();
    void poller.poll("a", patience.signal);
    const other = poller.poll("b");
    await clock.advance(first / 2);
    patience.abort();
    await clock.run(other);
    expect(requests.map(({ ids }) => ids)).toEqual([["b"]]);
  });
});

describe("the pace", () => {
  it.each([
    [
      "slows down by half each time, to 15 seconds",
      [2_000, 3_000, 4_500, 6_750, 10_125, 15_000, 15_000, 15_000, 15_000],
    ],
    ["stays as slow as it begins", [60_000, 60_000, 60_000]],
  ])("%s", async (_, intervals) => {
    const { clock, requests, follow } = setUp(intervals[0]);
    await clock.run(follow("a", intervals.length));
    const times = requests.map(({ at }) => at);
    expect(times.map((at, index) => at - (times[index - 1] ?? 0))).toEqual(intervals);
  });

  it("varies by a tenth, so that several programs do not keep step (J14)", async () => {
    for (const [random, at] of [
      [0, 1_800],
      [0.999, 2_199.6],
    ] as const) {
      const { clock, requests, poller } = setUp();
      clock.random = () => random;
      await clock.run(poller.poll("a"));
      expect(requests[0]?.at).toBeCloseTo(at);
    }
  });

  it("returns to the first interval for a new deployment, which waits no longer than that", async () => {
    const { clock, requests, poller, follow } = setUp();
    const old = follow("a", 8);
    await clock.advance(2_000 + 3_000 + 4_500 + 6_750 + 10_125);
    requests.length = 0;
    await clock.advance(1_000);
    const newcomer = poller.poll("b");
    await clock.advance(first);
    expect(requests.map(({ ids }) => ids)).toEqual([["a", "b"]]);
    await newcomer;
    await clock.run(old);
  });
});
