/** What is told while a build runs: the newest line of its log, beside the wait and never in its way. */
import { describe, expect, it } from "vitest";
import type { Context } from "../../../provider/deployment/context";
import type { Observed } from "../../../provider/deployment/service";
import { langsmith } from "../../../provider/dialects/langsmith";
import { standard } from "../../../provider/dialects/standard";
import { observed } from "../../support/observed";
import { setUp, untilActive } from "../../support/service";

const made = observed({ latestRevisionId: "r2", activeRevisionId: "r1", latestRevisionStatus: "QUEUED" });
const building: Observed = { ...made, latestRevisionStatus: "BUILDING" };
const deployed: Observed = { ...made, latestRevisionStatus: "DEPLOYED", activeRevisionId: "r2" };
const wait = { revision: "r2", previous: ["r1"], since: "" };

type LogSoFar = Context["service"]["logSoFar"];

/** A rollout that builds for 100 s, with the log as it is read at the time. */
function waiting(log: LogSoFar, more: Partial<Context> = {}) {
  const polls = [...Array<Observed>(50).fill(building), deployed];
  const setup = setUp({ poll: polls }, { dialect: langsmith, ...more });
  const began = setup.clock.now();
  const asked: { query: unknown; at: number }[] = [];
  Object.assign(setup.service, {
    logSoFar: (...args: Parameters<LogSoFar>) => {
      asked.push({ query: args[0], at: setup.clock.now() - began });
      return log(...args);
    },
  });
  const work = setup.clock.run(untilActive(setup.context, "chat", wait, made));
  return { ...setup, asked, work };
}

const linesOf = (said: string[]) => said.filter((line) => line.startsWith("progress: BUILDING"));

describe("the newest line of a build's log", () => {
  it("is shown whenever something is told of the build, and asked for no more often", async () => {
    let count = 0;
    const { work, said, asked } = waiting(() => Promise.resolve(`step ${++count}\nof ${count}\n\n`));
    expect((await work).end).toBe("active");
    expect(linesOf(said)).toEqual([
      "progress: BUILDING (2s of at most 30m): of 1",
      "progress: BUILDING (32s of at most 30m): of 2",
      "progress: BUILDING (1m2s of at most 30m): of 3",
      "progress: BUILDING (1m32s of at most 30m): of 4",
    ]);
    expect(asked.map(({ at }) => at)).toEqual([2_000, 32_000, 62_000, 92_000]);
    expect(asked[0]!.query).toEqual({ id: "d1", revisionId: "r2", type: "build" });
    expect(said.at(-1)).toMatch(/^progress: revision r2 is active/);
  });

  it("is fit for a terminal, and short", async () => {
    const log = () => Promise.resolve(`before\n\u001b[31m#8\u0007 ${"x".repeat(500)}\u202e\r\n`);
    const { work, said } = waiting(log);
    await work;
    expect(linesOf(said)[0]).toBe(`progress: BUILDING (2s of at most 30m): #8 ${"x".repeat(117)}…`);
  });

  it.each<[string, LogSoFar, Partial<Context>]>([
    ["cannot be read", () => Promise.reject(new Error("503")), {}],
    ["is empty", () => Promise.resolve("\n \n"), {}],
    ["never comes", () => new Promise(() => undefined), {}],
    ["is not wanted", () => Promise.resolve("line"), { logLines: 0 }],
    ["is on no service of the dialect", () => Promise.resolve("line"), { dialect: standard }],
  ])("changes nothing where the log %s", async (_, log, more) => {
    const { work, said } = waiting(log, more);
    expect((await work).end).toBe("active");
    const plain = setUp({ poll: [...Array<Observed>(50).fill(building), deployed] }, more);
    if (more.dialect === undefined) Object.assign(plain.context, { dialect: langsmith });
    await plain.clock.run(untilActive(plain.context, "chat", wait, made));
    expect(said).toEqual(plain.said);
    expect(said.length).toBeGreaterThan(3);
  });
});
