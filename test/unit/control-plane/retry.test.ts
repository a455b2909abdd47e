import { describe, expect, it } from "vitest";
import { ControlPlaneError, type ErrorKind } from "../../../provider/errors";
import { withRetry, type Retry } from "../../../provider/control-plane/retry";
import { RecordingClock } from "../../support/clock";
import { failureOf } from "../../support/http";
import { limitsOf } from "../../support/limits";

const failed = (kind: ErrorKind, more: Partial<ControlPlaneError> = {}) =>
  new ControlPlaneError("failed", { kind, request: "GET /", isAmbiguous: false, ...more });
const restart = (more: Partial<ControlPlaneError> = {}) =>
  failed("unavailable", { status: 502, isRestart: true, ...more });

/** How long a call waits before each try that comes after the first one, in milliseconds, if it goes on failing. */
async function waitsAfter(
  error: unknown,
  { random = 0.5, ...retry }: Partial<Retry> & { random?: number } = {},
) {
  const clock = new RecordingClock();
  clock.random = () => random;
  const fail = () => Promise.reject(error as Error);
  await withRetry(clock, limitsOf(clock).limits, { idempotent: true, ...retry }, fail).catch(() => undefined);
  return clock.slept;
}

describe("the waits between the tries of a call", () => {
  it("double from half a second, and vary by a quarter", async () => {
    const error = failed("unavailable");
    expect(await waitsAfter(error)).toEqual([500, 1_000, 2_000, 4_000]);
    expect((await waitsAfter(error, { random: 0 }))[0]).toBe(375);
    expect((await waitsAfter(error, { random: 0.999 }))[0]).toBeCloseTo(625, 0);
  });

  it("are what the service asks for, and never none", async () => {
    const after = (retryAfter: number) => waitsAfter(failed("unavailable", { status: 500, retryAfter }));
    expect(await after(42_000)).toEqual([42_000, 42_000, 42_000, 42_000]);
    expect(await after(0)).toEqual([500, 500, 500, 500]);
  });

  it("grow to 8 seconds during a restart of the service, which is waited for a minute at least", async () => {
    for (const random of [0, 0.5, 0.999]) {
      const waits = await waitsAfter(restart(), { random });
      const sum = waits.reduce((a, b) => a + b);
      expect(sum).toBeGreaterThanOrEqual(60_000);
      expect(sum).toBeLessThanOrEqual(70_000);
      expect(Math.max(...waits)).toBeLessThanOrEqual(10_000);
    }
  });

  it("do not count against a restart that begins with another failure", async () => {
    const clock = new RecordingClock();
    const errors = [failed("unreadable"), failed("unreadable"), failed("unreadable")];
    const fail = () => Promise.reject(errors.pop() ?? restart());
    await failureOf(withRetry(clock, limitsOf(clock).limits, { idempotent: true }, fail));
    expect(clock.slept.reduce((a, b) => a + b)).toBeGreaterThanOrEqual(60_000);
  });

  it("are none for what is tried once", async () => {
    expect(await waitsAfter(restart(), { isOnce: true })).toEqual([]);
    expect(
      await waitsAfter(failed("rate-limited", { status: 429, retryAfter: 1 }), { isOnce: true }),
    ).toEqual([]);
  });

  it("are none for the first request of a command that cannot reach the service", async () => {
    const unreachable = failed("unreachable", { isRestart: true });
    expect(await waitsAfter(unreachable, { isPatient: false })).toEqual([]);
    expect(await waitsAfter(restart(), { isPatient: false })).toHaveLength(4);
  });

  it.each<ErrorKind>(["unreachable", "timeout", "unavailable", "unreadable"])(
    "are four after an error that may pass: %s",
    async (kind) => {
      expect(await waitsAfter(failed(kind))).toHaveLength(4);
    },
  );

  it.each<ErrorKind>([
    ...(["invalid", "unauthorized", "forbidden", "not-found", "conflict"] as const),
    ...(["redirected", "foreign", "untrusted", "overloaded"] as const),
  ])("are none after an error that stays: %s", async (kind) => {
    expect(await waitsAfter(failed(kind))).toEqual([]);
  });

  it("are none for what may have been done and must not be done twice", async () => {
    const ambiguous = restart({ isAmbiguous: true });
    expect(await waitsAfter(ambiguous, { idempotent: false })).toEqual([]);
    expect(await waitsAfter(ambiguous, { idempotent: true })).not.toEqual([]);
    expect(await waitsAfter(restart(), { idempotent: false })).not.toEqual([]);
  });
});

describe("withRetry", () => {
  it("does not begin a wait that would end after the time, and says so", async () => {
    const clock = new RecordingClock();
    const { limits } = limitsOf(clock, { timeout: 1_000, moreTime: "the option `time`" });
    const work = withRetry(clock, limits, { idempotent: true }, () => Promise.reject(failed("unavailable")));
    const error = await failureOf(work);
    expect(error).toMatchObject({ kind: "unavailable", isAmbiguous: false });
    expect(error.message).toBe(
      "failed; no time is left for the next try in 1s: there were 1s in all (the option `time` gives more)",
    );
    expect(clock.slept).toEqual([500]);
  });

  it("says what went wrong before, where the time ends during a later try", async () => {
    const clock = new RecordingClock();
    const cut = new ControlPlaneError("GET / got no response in time", {
      kind: "out-of-time",
      request: "GET /",
      isAmbiguous: false,
    });
    const errors = [failed("unreadable"), cut];
    const error = await failureOf(
      withRetry(clock, limitsOf(clock).limits, { idempotent: true }, () => Promise.reject(errors.shift()!)),
    );
    expect(error).toMatchObject({
      kind: "unreadable",
      message: "failed; the next try got no response in time",
    });
  });

  it("says on the screen that it waits for a restart, and for how long at most", async () => {
    const clock = new RecordingClock();
    const { limits, said } = limitsOf(clock);
    await failureOf(withRetry(clock, limits, { idempotent: true }, () => Promise.reject(restart())));
    expect(said[0]).toBe("failed: next try in 8s, of at most 1m");
    expect(new Set(said).size).toBe(1);
  });
});
