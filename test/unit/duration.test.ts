import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatDuration, parseDuration } from "../../provider/time/duration";

describe("a duration", () => {
  it.each([
    ["200ms", 200],
    ["2s", 2_000],
    ["5m", 300_000],
    ["1h", 3_600_000],
    ["1h30m", 5_400_000],
    ["1m0.5s", 60_500],
    ["0s", 0],
    ["", undefined],
    ["2", undefined],
    ["s", undefined],
    ["-2s", undefined],
    ["2 s", undefined],
    ["2S", undefined],
    ["1d", undefined],
    ["1.s", undefined],
    ["1e3s", undefined],
    ["2s later", undefined],
  ])("%j is %s milliseconds", (text, expected) => {
    expect(parseDuration(text)).toBe(expected);
  });

  it.each([
    [0, "0ms"],
    [850, "850ms"],
    [1_000, "1s"],
    [42_400, "42s"],
    [59_999, "1m"],
    [125_000, "2m5s"],
    [3_600_000, "1h"],
    [3_605_000, "1h5s"],
    [5_400_000, "1h30m"],
  ])("of %i ms is shown as %s", (ms, expected) => {
    expect(formatDuration(ms)).toBe(expected);
  });

  it("a duration is read as it is shown", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), (seconds) => {
        expect(parseDuration(formatDuration(seconds * 1_000))).toBe(seconds * 1_000);
      }),
    );
  });
});
