import { getEventListeners } from "node:events";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../provider/clock";
import { extended, newController, within, type Limits } from "../../provider/limits";

import { VirtualClock } from "../support/clock";
import { limitsOf } from "../support/limits";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
/** In a turn of its own: what was referred to weakly in this one is not collected in it. */
const collectGarbage = () => setImmediate().then(collect);

const limitsWith = (signal: AbortSignal): Limits => ({
  deadline: systemClock.now() + 60_000,
  timeout: 60_000,
  signal,
  tell: () => undefined,
});

describe("a signal that lives as long as the process", () => {
  it("keeps nothing of the waits that have ended, whatever was collected while they waited", async () => {
    const { signal } = newController();
    const works = Array.from({ length: 50 }, () => {
      let finish!: () => void;
      const work = new Promise<void>((resolve) => (finish = resolve));
      return { finish, waiting: within(systemClock, limitsWith(signal), work) };
    });
    expect(getEventListeners(signal, "abort").length).toBeGreaterThanOrEqual(works.length);
    await collectGarbage();
    for (const { finish } of works) finish();
    await Promise.all(works.map(({ waiting }) => waiting));
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("keeps nothing of what was given more time and is known by now", async () => {
    const { signal } = newController();
    const known = Array.from({ length: 50 }, () => new AbortController());
    for (const each of known) extended(systemClock, limitsWith(signal), 1_000, each.signal);
    await collectGarbage();
    for (const each of known) each.abort();
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

describe("what is given more time than the user wants to wait", () => {
  const interrupted = "interrupted: finding out what was created, for at most 10s";

  it.each([
    ["is told once it takes a second", 1_500, [interrupted]],
    ["is not told where it is known by then", 500, []],
  ])("%s", async (_, takes, expected) => {
    const clock = new VirtualClock();
    const [user, known] = [new AbortController(), new AbortController()];
    const { limits, said } = limitsOf(clock, { signal: user.signal });
    extended(clock, limits, 10_000, known.signal);
    user.abort();
    await clock.run(clock.sleep(takes));
    known.abort();
    await clock.run(clock.sleep(20_000));
    expect(said).toEqual(expected);
  });
});
