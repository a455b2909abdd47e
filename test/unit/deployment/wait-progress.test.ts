/** What is told while a build runs: the newest line of its log, beside the wait and never in its way. */
import { expect, it } from "vitest";
import type { Context } from "../../../provider/deployment/context";
import type { Observed } from "../../../provider/deployment/service";
import { langsmith } from "../../../provider/dialects/langsmith";
import { standard } from "../../../provider/dialects/standard";
import { observed } from "../../support/observed";
import { setUp, untilActive } from "../../support/service";

const made = observed({ latestRevisionId: "r2", activeRevisionId: "r1", latestRevisionStatus: "QUEUED" });
const building: Observed = { ...made, latestRevisionStatus: "BUILDING" };
const deployed: Observed = { ...made, latestRevisionStatus: "DEPLOYED", activeRevisionId: "r2" };
const wait = { revision: "r2", previous: ["r1"] };

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
  const work = setup.clock.run(untilActive(setup.context, wait, made));
  return { ...setup, asked, work };
}

const linesOf = (said: string[]) => said.filter((line) => /^progress: building.*: of \d$/.test(line));

it("the newest line of a build's log is shown with each progress message, and requested no more often", async () => {
  let count = 0;
  const { work, said, asked } = waiting(() => Promise.resolve(`step ${++count}\nof ${count}\n\n`));
  expect((await work).end).toBe("active");
  expect(linesOf(said)).toEqual([
    "progress: building 2s of 30m: of 1",
    "progress: building 32s of 30m: of 2",
    "progress: building 1m2s of 30m: of 3",
    "progress: building 1m32s of 30m: of 4",
  ]);
  expect(asked.map(({ at }) => at)).toEqual([2_000, 32_000, 62_000, 92_000]);
  expect(asked[0]!.query).toEqual({ id: "d1", revisionId: "r2", type: "build" });
  expect(said.at(-1)).toMatch(/^progress: active after 1m42s: revision r2$/);
});

it.each<[string, LogSoFar, Partial<Context>]>([
  ["cannot be read", () => Promise.reject(new Error("503")), {}],
  ["is empty", () => Promise.resolve("\n \n"), {}],
  ["never comes", () => new Promise(() => undefined), {}],
  ["is on no service of the dialect", () => Promise.resolve("line"), { dialect: standard }],
])("a build is waited for in the same way if its log %s", async (_, log, more) => {
  const { work, said } = waiting(log, more);
  expect((await work).end).toBe("active");
  const plain = setUp({ poll: [...Array<Observed>(50).fill(building), deployed] }, more);
  if (more.dialect === undefined) Object.assign(plain.context, { dialect: langsmith });
  await plain.clock.run(untilActive(plain.context, wait, made));
  expect(said).toEqual(plain.said);
  expect(said.length).toBeGreaterThan(3);
});

it("in a terminal the time continues with every poll, and the log of the build is requested no more often", async () => {
  const { work, said, asked, context } = waiting(() => Promise.resolve("step\nof 7"));
  Object.assign(context.log, { isWatched: true });
  expect((await work).end).toBe("active");
  expect(linesOf(said).slice(0, 4)).toEqual([
    "progress: building 2s of 30m: of 7",
    "progress: building 4s of 30m: of 7",
    "progress: building 6s of 30m: of 7",
    "progress: building 8s of 30m: of 7",
  ]);
  expect(asked.map(({ at }) => at)).toEqual([2_000, 32_000, 62_000, 92_000]);
});

it("a queued rollout is told with the revision that it waits for, and the command that ends that one", async () => {
  const queued: Observed = { ...made, queuedBehind: "0028fb3b-0000-4000-8000-000000000001" };
  const { clock, context, said } = setUp({ poll: [...Array<Observed>(3).fill(queued), deployed] });
  const claimant = {
    ...context.claimant,
    resource: "urn:pulumi:dev::shop::deployment-service:index:Deployment::chat",
  };
  await clock.run(untilActive(Object.assign(context, { dialect: langsmith, claimant }), wait, queued));
  expect(said[0]).toBe(
    "progress: queued 2s behind 0028fb3b, of at most 30m; revision 0028fb3b-0000-4000-8000-000000000001: " +
      "`npx pulumi-deployment-service interrupt chat --stack dev` ends it",
  );
});
