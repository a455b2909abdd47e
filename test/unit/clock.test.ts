import { describe, expect, it, onTestFinished, vi } from "vitest";
import { systemClock } from "../../provider/time/clock";

describe("the system's clock", () => {
  it("does not take a time longer than any timer for none at all", async () => {
    const ended = new AbortController();
    const long = systemClock.sleep(2 ** 40, ended.signal).then(() => "long");
    const short = systemClock.sleep(20).then(() => "short");
    expect(await Promise.race([long, short])).toBe("short");
    ended.abort();
    await long;
  });

  it("wakes as soon as the signal is aborted, also when it was before", async () => {
    const ended = new AbortController();
    const sleep = systemClock.sleep(3_600_000, ended.signal);
    ended.abort();
    // Each would last for an hour, and neither may end in an error.
    await expect(sleep).resolves.toBeUndefined();
    await expect(systemClock.sleep(3_600_000, ended.signal)).resolves.toBeUndefined();
  });

  it("continues if the computer's clock is set back", () => {
    const before = systemClock.now();
    vi.spyOn(Date, "now").mockReturnValue(0);
    onTestFinished(() => void vi.restoreAllMocks());
    expect(systemClock.now()).toBeGreaterThanOrEqual(before);
  });
});
