import { describe, expect, it } from "vitest";
import { ControlPlaneError, type ErrorKind } from "../../../provider/errors";
import { waitBefore, withRetry } from "../../../provider/control-plane/retry";
import { RecordingClock, VirtualClock } from "../../support/clock";
import { failureOf } from "../../support/http";
import { limitsOf } from "../../support/limits";

const failed = (
  kind: ErrorKind,
  more: { isAmbiguous?: boolean; retryAfter?: number; status?: number } = {},
) => new ControlPlaneError("failed", { kind, request: "GET /", isAmbiguous: false, ...more });
const wait = (attempt: number, error: unknown, { idempotent = true, random = 0.5, isOnce = false } = {}) =>
  waitBefore(attempt, error, { idempotent, random, isOnce });

describe("the wait before the next attempt", () => {
  it("doubles from half a second", () => {
    const error = failed("unavailable");
    expect([1, 2, 3, 4, 5].map((attempt) => wait(attempt, error))).toEqual([
      500,
      1_000,
      2_000,
      4_000,
      undefined,
    ]);
  });

  it("varies by a quarter", () => {
    const error = failed("unavailable");
    expect(wait(1, error, { random: 0 })).toBe(375);
    expect(wait(1, error, { random: 0.999 })).toBeCloseTo(625, 0);
  });

  it("is what the service asked for, and never none", () => {
    expect(wait(3, failed("unavailable", { status: 500, retryAfter: 42_000 }))).toBe(42_000);
    expect(wait(3, failed("unavailable", { status: 500, retryAfter: 0 }))).toBe(500);
    expect(wait(5, failed("unavailable", { status: 500, retryAfter: 1 }))).toBeUndefined();
  });

  it("is the whole connection's, and not the call's, where the service asks that to come back later", () => {
    for (const status of [429, 503]) {
      expect(wait(999, failed("rate-limited", { status, retryAfter: 42_000 }))).toBe(0);
    }
    expect(wait(7, failed("rate-limited", { status: 429 }))).toBe(0);
    expect(wait(8, failed("rate-limited", { status: 429 }))).toBeUndefined();
  });

  it("is not there for what is tried once", () => {
    expect(wait(1, failed("unavailable"), { isOnce: true })).toBeUndefined();
    expect(wait(1, failed("rate-limited", { status: 429, retryAfter: 1 }), { isOnce: true })).toBeUndefined();
  });

  it.each<ErrorKind>(["unreachable", "timeout", "rate-limited", "unavailable", "unreadable"])(
    "is there after an error that passes: %s",
    (kind) => {
      expect(wait(1, failed(kind))).toBe(500);
    },
  );

  it.each<ErrorKind>([
    ...(["invalid", "unauthorized", "forbidden", "not-found", "conflict"] as const),
    ...(["redirected", "foreign", "untrusted", "overloaded"] as const),
  ])("is not there after an error that stays: %s", (kind) => {
    expect(wait(1, failed(kind))).toBeUndefined();
  });

  it("is not there for what may have been done and must not be done twice", () => {
    const ambiguous = failed("unavailable", { isAmbiguous: true });
    expect(wait(1, ambiguous, { idempotent: false })).toBeUndefined();
    expect(wait(1, ambiguous, { idempotent: true })).toBe(500);
    expect(wait(1, failed("unavailable"), { idempotent: false })).toBe(500);
  });

  it("is not there after an error that is not the service's", () => {
    expect(wait(1, new Error("a mistake"))).toBeUndefined();
  });
});

describe("withRetry", () => {
  it("calls until it works", async () => {
    const clock = new RecordingClock();
    let calls = 0;
    const result = await withRetry(clock, limitsOf(clock).limits, { idempotent: true }, () =>
      ++calls < 3 ? Promise.reject(failed("unavailable")) : Promise.resolve("done"),
    );
    expect([result, calls, clock.slept]).toEqual(["done", 3, [500, 1_000]]);
  });

  it("throws the last error after five attempts", async () => {
    const clock = new RecordingClock();
    let calls = 0;
    const result = withRetry(clock, limitsOf(clock).limits, { idempotent: true }, () => {
      calls++;
      return Promise.reject(new ControlPlaneError(`failed ${calls}`, failed("timeout")));
    });
    await expect(result).rejects.toThrow("failed 5");
    expect(clock.slept).toEqual([500, 1_000, 2_000, 4_000]);
  });

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

  it("ends at once when the user does not want to wait any longer", async () => {
    const clock = new VirtualClock();
    const user = new AbortController();
    const { limits, said } = limitsOf(clock, { signal: user.signal });
    const error = failed("unavailable", { retryAfter: 20_000 });
    const work = failureOf(withRetry(clock, limits, { idempotent: true }, () => Promise.reject(error)));
    await clock.advance(1_000);
    user.abort();
    expect((await work).message).toBe("failed; interrupted before the next try");
    expect(said).toEqual(["failed: next try in 20s, of at most 30m"]);
  });
});
