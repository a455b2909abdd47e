import { describe, expect, it } from "vitest";
import { withRetry, type Retry } from "../../../provider/control-plane/retry";
import { ControlPlaneError, type ErrorKind } from "../../../provider/errors";
import type { Limits } from "../../../provider/time/limits";
import { RecordingClock } from "../../support/clock";
import { failureOf } from "../../support/http";
import { limitsOf } from "../../support/limits";

const failed = (kind: ErrorKind, more: Partial<ControlPlaneError> = {}) =>
  new ControlPlaneError("failed", { kind, request: "GET /", isAmbiguous: false, ...more });
const restart = (more: Partial<ControlPlaneError> = {}) =>
  failed("unavailable", { status: 502, isRestart: true, ...more });

/** A call that continues failing with these errors, the last one for ever. */
async function failing(
  errors: ControlPlaneError[],
  {
    random = 0.5,
    limits = {},
    ...retry
  }: Partial<Retry> & { random?: number; limits?: Partial<Limits> } = {},
) {
  const clock = new RecordingClock();
  clock.random = () => random;
  const left = [...errors];
  const fail = () => Promise.reject(left.length > 1 ? left.shift()! : left[0]!);
  const { limits: given, said } = limitsOf(clock, limits);
  const error = await failureOf(withRetry(clock, given, { idempotent: true, ...retry }, fail));
  return { error, said, waits: clock.slept, sum: clock.slept.reduce((a, b) => a + b, 0) };
}

describe("the waits between the tries of a call", () => {
  it("double from half a second, and vary by a quarter", async () => {
    const errors = [failed("unavailable")];
    expect((await failing(errors)).waits).toEqual([500, 1_000, 2_000, 4_000]);
    expect((await failing(errors, { random: 0 })).waits[0]).toBe(375);
    expect((await failing(errors, { random: 0.999 })).waits[0]).toBeCloseTo(625, 0);
  });

  it.each([
    [42_000, 42_000],
    [0, 500],
  ])("are as long as the service asks (%i ms), but never zero", async (retryAfter, wait) => {
    const { waits } = await failing([failed("unavailable", { status: 500, retryAfter })]);
    expect(waits).toEqual(Array(4).fill(wait));
  });

  it.each([0, 0.5, 0.999])(
    "grow to 8 seconds while the service restarts, for at least a minute (%d)",
    async (random) => {
      const { waits, sum, said } = await failing([restart()], { random });
      expect(sum).toBeGreaterThanOrEqual(60_000);
      expect(sum).toBeLessThanOrEqual(70_000);
      expect(Math.max(...waits)).toBeLessThanOrEqual(10_000);
      expect(said[0]).toMatch(/^retries in \d+s of 1m: failed$/);
      expect(new Set(said).size).toBe(1);
    },
  );

  it("do not count against a restart that follows other failures", async () => {
    const { sum } = await failing([...Array<ControlPlaneError>(3).fill(failed("unreadable")), restart()]);
    expect(sum).toBeGreaterThanOrEqual(60_000);
  });

  const ambiguous = restart({ isAmbiguous: true });
  const [unreachable, limited] = [failed("unreachable", { isRestart: true }), { status: 429, retryAfter: 1 }];
  it.each<[string, ControlPlaneError, Partial<Retry>, boolean]>([
    ["a call that is sent once", restart(), { isOnce: true }, false],
    [
      "such a call, even if the service asks to wait",
      failed("rate-limited", limited),
      { isOnce: true },
      false,
    ],
    ["the first call of a command that cannot reach the service", unreachable, { isPatient: false }, false],
    ["the first call of a command while the service restarts", restart(), { isPatient: false }, true],
    ["what may have been done and must not be done twice", ambiguous, { idempotent: false }, false],
    ["what may have been done and can be done twice", ambiguous, {}, true],
    ["what was not done", restart(), { idempotent: false }, true],
  ])("depend on the call and its error: %s", async (_, error, retry, isRetried) => {
    expect((await failing([error], retry)).waits.length > 0).toBe(isRetried);
  });
});

describe("a call that failed", () => {
  it.each<ErrorKind>(["unreachable", "timeout", "unavailable", "unreadable"])(
    "is tried four more times: %s",
    async (kind) => {
      expect((await failing([failed(kind)])).waits).toHaveLength(4);
    },
  );

  it.each<ErrorKind>([
    ...(["invalid", "unauthorized", "forbidden", "not-found", "conflict"] as const),
    ...(["redirected", "foreign", "untrusted"] as const),
  ])("is not tried again after a permanent error: %s", async (kind) => {
    expect((await failing([failed(kind)])).waits).toEqual([]);
  });

  it("begins no wait that would end after its time, and says so", async () => {
    const limits = { timeout: 1_000, moreTime: "the option `time`" };
    const { error, waits } = await failing([failed("unavailable")], { limits });
    expect(error).toMatchObject({
      kind: "unavailable",
      isAmbiguous: false,
      message:
        "failed; no time is left for the next try in 1s: there were 1s in all (the option `time` gives more)",
    });
    expect(waits).toEqual([500]);
  });

  it("names the earlier error if the time ends during a later try", async () => {
    const details = { kind: "out-of-time", request: "GET /", isAmbiguous: false } as const;
    const cut = new ControlPlaneError("GET / got no response in time", details);
    expect((await failing([failed("unreadable"), cut])).error).toMatchObject({
      kind: "unreadable",
      message: "failed; the next try got no response in time",
    });
  });
});
