import { getEventListeners } from "node:events";
import { expect, it, onTestFinished, vi } from "vitest";
import { systemClock } from "../../provider/time/clock";
import { endingWith, newController, withExtraTime, waitUntil } from "../../provider/time/limits";
import { VirtualClock } from "../support/clock";
import { limitsOf } from "../support/limits";

const interrupted = "interrupted: finding out what was created, for at most 10s";

it.each([
  ["is reported after a second", 1_500, [interrupted]],
  ["is not reported if the outcome is known by then", 500, []],
])("more time than the user wants to wait %s", async (_, takes, expected) => {
  const clock = new VirtualClock();
  const [user, known] = [new AbortController(), new AbortController()];
  const { limits, said } = limitsOf(clock, { signal: user.signal });
  withExtraTime(clock, limits, 10_000, known.signal);
  user.abort();
  await clock.run(clock.sleep(takes));
  known.abort();
  await clock.run(clock.sleep(20_000));
  expect(said).toEqual(expected);
});

it("a wait asks a last time at its deadline, however late the timer wakes", async () => {
  const clock = new VirtualClock(0);
  const late = Object.assign(new VirtualClock(0), {
    now: () => clock.now(),
    sleep: (ms: number, signal?: AbortSignal) => clock.sleep(ms + 2, signal),
  });
  const asked: number[] = [];
  const condition = () => {
    asked.push(clock.now());
    return Promise.resolve(clock.now() >= 10_000 ? "done" : undefined);
  };
  const pauses = { first: 8_000, most: 8_000 };
  expect(await clock.run(waitUntil(late, { deadline: 10_000 }, condition, pauses))).toBe("done");
  expect(asked).toEqual([0, 8_002, 10_002]);
});

it("a wait that has ended no longer listens to the signal of the run, which may last for hours", async () => {
  const { signal } = newController();
  const known = new AbortController();
  const clock = new VirtualClock();
  withExtraTime(clock, limitsOf(clock, { signal }).limits, 10_000, known.signal);
  known.abort();
  endingWith(signal).abort();
  await systemClock.sleep(0, signal);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

it("any number of waits may listen to the signal of the run, and Node.js warns of none", () => {
  const warn = vi.spyOn(process, "emitWarning").mockReturnValue(undefined);
  onTestFinished(() => warn.mockRestore());
  const { signal } = newController();
  for (let count = 0; count < 20; count++) signal.addEventListener("abort", () => undefined);
  expect(warn).not.toHaveBeenCalled();
});
