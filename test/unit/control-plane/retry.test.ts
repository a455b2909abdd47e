import { describe, expect, it } from "vitest";
import { ControlPlaneError, type ErrorKind } from "../../../provider/control-plane/errors";
import { waitBefore, withRetry } from "../../../provider/control-plane/retry";
import { RecordingClock } from "../support/clock";

const failed = (kind: ErrorKind, more: { maybeDone?: boolean; retryAfter?: number } = {}) =>
  new ControlPlaneError("failed", { kind, request: "GET /", maybeDone: false, ...more });
const wait = (attempt: number, error: unknown, { repeatable = true, random = 0.5 } = {}) =>
  waitBefore(attempt, error, { repeatable, random });

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

  it("is what the service asked for", () => {
    expect(wait(3, failed("rate-limited", { retryAfter: 42_000 }))).toBe(42_000);
    expect(wait(3, failed("unavailable", { retryAfter: 0 }))).toBe(0);
    expect(wait(5, failed("rate-limited", { retryAfter: 1 }))).toBeUndefined();
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
    const doubtful = failed("unavailable", { maybeDone: true });
    expect(wait(1, doubtful, { repeatable: false })).toBeUndefined();
    expect(wait(1, doubtful, { repeatable: true })).toBe(500);
    expect(wait(1, failed("unavailable"), { repeatable: false })).toBe(500);
  });

  it("is not there after an error that is not the service's", () => {
    expect(wait(1, new Error("a mistake"))).toBeUndefined();
  });
});

describe("withRetry", () => {
  it("calls until it works", async () => {
    const clock = new RecordingClock();
    let calls = 0;
    const result = await withRetry(clock, { repeatable: true }, () =>
      ++calls < 3 ? Promise.reject(failed("unavailable")) : Promise.resolve("done"),
    );
    expect([result, calls, clock.slept]).toEqual(["done", 3, [500, 1_000]]);
  });

  it("throws the last error after five attempts", async () => {
    const clock = new RecordingClock();
    let calls = 0;
    const result = withRetry(clock, { repeatable: true }, () => {
      calls++;
      return Promise.reject(new ControlPlaneError(`failed ${calls}`, failed("timeout")));
    });
    await expect(result).rejects.toThrow("failed 5");
    expect(clock.slept).toEqual([500, 1_000, 2_000, 4_000]);
  });
});
