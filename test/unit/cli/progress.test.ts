import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { collect } from "../../../provider/cli/progress";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

async function* slowly(pages: number, seconds: number) {
  for (let page = 0; page < pages; page++) {
    vi.advanceTimersByTime(seconds * 1000);
    yield [page, page];
  }
}

async function run(pages: AsyncIterable<number[]>, isTerminal = true) {
  let stderr = "";
  const write = (text: string) => (stderr += text);
  const all = await collect(pages, "deployments", { stderr: { write }, isTerminal } as never);
  return { all, stderr };
}

describe("collecting pages", () => {
  it("says how far it is, when it takes long", async () => {
    expect(await run(slowly(4, 2))).toEqual({
      all: [0, 0, 1, 1, 2, 2, 3, 3],
      stderr: "still reading: 2 deployments so far (3s)\nstill reading: 4 deployments so far (6s)\n",
    });
  });

  it("says it less often in a log", async () => {
    const { stderr } = await run(slowly(8, 2), false);
    expect(stderr).toBe("still reading: 8 deployments so far (10s)\n");
  });

  it("says nothing before anything came, and nothing after the end", async () => {
    expect((await run(slowly(1, 60))).stderr).toBe("");
    expect(vi.getTimerCount()).toBe(0);
  });
});
