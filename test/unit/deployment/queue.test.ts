/** A rollout that is queued behind another one: what the user is told, and how seldom that is asked for. */
import { describe, expect, it } from "vitest";
import { firstInQueue } from "../../../provider/deployment/queue";
import type { Context } from "../../../provider/deployment/context";
import type { Observed, Revision } from "../../../provider/deployment/service";
import { langsmith } from "../../../provider/dialects/langsmith";
import { observed } from "../../support/observed";
import { failed, setUp, type Script, untilActive } from "../../support/service";

const revision = (id: string, status: string, createdAt = "2029-12-31T23:48:00Z"): Revision => ({
  ...{ id, status, createdAt, reason: undefined, sourceRevisionConfig: {} },
});
const queued = observed({ latestRevisionId: "r3", activeRevisionId: "r1", latestRevisionStatus: "QUEUED" });
const deployed: Observed = { ...queued, latestRevisionStatus: "DEPLOYED", activeRevisionId: "r3" };
const history = [revision("r3", "QUEUED"), revision("r2", "DEPLOYING"), revision("r1", "DEPLOYED")];

type Ask = Context["service"]["revisionsSoFar"];

/** A rollout that is queued for so many polls, one every 2 s. */
function waiting(ask: Ask, script: Script<Observed | undefined>, more: Partial<Context> = {}) {
  const setup = setUp({ poll: script }, { dialect: langsmith, ...more });
  const began = setup.clock.now();
  const asked: number[] = [];
  Object.assign(setup.service, {
    revisionsSoFar: (...args: Parameters<Ask>) => {
      asked.push(setup.clock.now() - began);
      return ask(...args);
    },
  });
  const what = { revision: "r3", previous: ["r1"] };
  return { ...setup, asked, work: setup.clock.run(untilActive(setup.context, what, queued)) };
}

const queuedFor = (polls: number) => Array<Observed>(polls).fill(queued);

describe("a rollout that is queued", () => {
  it("says behind what, how old that is, and what ends it; the list is asked for at most once a minute", async () => {
    const { work, said, asked } = waiting(() => Promise.resolve(history), [...queuedFor(70), deployed]);
    expect((await work).end).toBe("active");
    const behind = (age: string, time: string) =>
      `progress: queued ${time} behind r2 (DEPLOYING, ${age} old), of at most 30m; revision r2: ` +
      "`npx pulumi-deployment-service interrupt chat` ends it";
    expect(said.filter((line) => /queued \w+ behind/.test(line))).toEqual([
      behind("12m2s", "2s"),
      behind("12m32s", "32s"),
      behind("13m2s", "1m2s"),
      behind("13m32s", "1m32s"),
      behind("14m2s", "2m2s"),
    ]);
    expect(asked).toEqual([2_000, 62_000, 122_000]);
  });

  it.each<[string, Ask]>([
    ["cannot be asked for", () => Promise.reject(failed("unavailable"))],
    ["never comes", () => new Promise(() => undefined)],
    ["shows none before it", () => Promise.resolve([revision("r3", "QUEUED"), revision("r1", "DEPLOYED")])],
    ["is empty", () => Promise.resolve([])],
  ])("continues as before if the list %s", async (_, ask) => {
    const { work, said } = waiting(ask, [...queuedFor(50), deployed]);
    expect((await work).end).toBe("active");
    expect(said.join("\n")).not.toMatch(/queued behind|warning/);
  });
});

describe("the first revision of a queue", () => {
  it.each([
    [["QUEUED", "BUILDING", "DEPLOYED"], 1],
    [["QUEUED", "QUEUED", "DEPLOY_FAILED"], 1],
    [["QUEUED", "SKIPPED", "INTERRUPTED", "UNKNOWN"], 3],
    [["DEPLOYED", "CREATING"], 1],
    [["DEPLOYED", "BUILD_FAILED"], undefined],
    [[], undefined],
  ])("is the oldest that has not ended: %j", (statuses, index) => {
    const revisions = statuses.map((status, at) => revision(`r${at}`, status));
    expect(firstInQueue(revisions, null, langsmith)?.id).toBe(index === undefined ? undefined : `r${index}`);
  });

  it("is newer than the active one older ones block nothing", () => {
    const revisions = [revision("r3", "QUEUED"), revision("r2", "DEPLOYED"), revision("r1", "UNKNOWN")];
    expect(firstInQueue(revisions, "r2", langsmith)?.id).toBe("r3");
  });
});
