import { describe, expect, it } from "vitest";
import type { Rollout } from "../../../provider/deployment/state";
import type { Observed } from "../../../provider/deployment/service";
import { observed } from "../../support/observed";
import { failed, rejectionOf, setUp, type Script, untilActive } from "../../support/service";

/** Before: revision r1 is active, and r2 was just made. */
const made = { latestRevisionId: "r2", activeRevisionId: "r1" };
const done = observed({ latestRevisionId: "r2", activeRevisionId: "r2" });
const seenAs = (more: Partial<Observed>) => observed({ ...made, ...more });

function waiting(polls: Script<Observed | undefined>, wait: Partial<Rollout> = {}, timeout = 30 * 60_000) {
  const setup = setUp({ poll: polls }, { timeout });
  const what: Rollout = { revision: "r2", previous: ["r1"], since: "", ...wait };
  const began = setup.clock.now();
  const work = setup.clock.run(untilActive(setup.context, "chat", what, seenAs({})));
  return { ...setup, work, elapsed: () => setup.clock.now() - began };
}

describe("a rollout", () => {
  it("that has ended already is not polled (J07)", async () => {
    const { context, service, clock } = setUp({});
    const wait = { revision: "r2", previous: ["r1"], since: "" };
    await clock.run(untilActive(context, "chat", wait, done));
    expect(service.calls).toEqual([]);
  });

  it.each(["AWAITING_DATABASE", "UNKNOWN", "UNUSED", "A_NEW_STATUS"])(
    "goes on while the status is %s, also with the revision active (J03, J06)",
    async (status) => {
      const { work, service } = waiting([{ ...done, status }, done]);
      await work;
      expect(service.count("poll")).toBe(2);
    },
  );

  it("does not end on a list that lags behind and still shows the revision from before as the latest (J11)", async () => {
    const lagging = seenAs({ latestRevisionId: "r1", activeRevisionId: "r1" });
    const { work, service } = waiting([lagging, lagging, done]);
    await work;
    expect(service.count("poll")).toBe(3);
  });

  it("ends with a warning when a newer revision of somebody else became active (C24, J11)", async () => {
    const overtaken = seenAs({ latestRevisionId: "r3", activeRevisionId: "r3" });
    const { work, said } = waiting([seenAs({ latestRevisionId: "r3" }), overtaken]);
    await work;
    expect(said).toContain("warning: chat: revision r2 was superseded by r3, which is active now");
  });

  it("whose revision is not known yet ends with any that is new (A09)", async () => {
    const first = observed({ latestRevisionId: null, activeRevisionId: null });
    const { work, said } = waiting([first, done], { revision: null, previous: [] });
    await work;
    expect(said.filter((line) => line.startsWith("warning"))).toEqual([]);
  });

  it.each(["AWAITING_DELETE", "AWAITING_FINAL_DELETE"])("fails at once with %s", async (status) => {
    const { work, service } = waiting([seenAs({ status }), done]);
    expect((await rejectionOf(work)).message).toBe(`the deployment is being deleted (status ${status})`);
    expect(service.count("poll")).toBe(1);
  });

  it.each(["unauthorized", "forbidden", "untrusted"] as const)(
    "fails at once where waiting cannot help: %s",
    async (kind) => {
      const refused = failed(kind);
      const { work, service } = waiting([seenAs({}), refused, done]);
      expect((await rejectionOf(work)).message).toBe(refused.message);
      expect(service.count("poll")).toBe(2);
    },
  );

  it("fails when the deployment stays away for three polls in a row (J08)", async () => {
    const { work, service } = waiting([undefined, undefined, seenAs({}), undefined]);
    expect((await rejectionOf(work)).message).toBe(
      "the deployment no longer exists: it was deleted outside this stack. Run `pulumi refresh`, then `pulumi up`",
    );
    expect(service.count("poll")).toBe(6);
  });

  it("ends at its time limit, in the middle of the wait for a poll (H07, J10)", async () => {
    const { work, elapsed } = waiting([seenAs({})], {}, 61_000);
    expect((await rejectionOf(work)).message).toBe(
      "the rollout did not finish within 1m1s: revision r2 is not active; active revision: r1, status READY. The deployment " +
        "exists and the rollout may still be in progress: the next `pulumi up` resumes waiting. To wait longer, set the resource option `customTimeouts`",
    );
    expect(elapsed()).toBe(61_000);
  });

  it("says how it goes when the status changes, and otherwise each half minute (J01)", async () => {
    const starting = Array.from({ length: 31 }, () => seenAs({ status: "AWAITING_DATABASE" }));
    const { work, said } = waiting([...starting, done]);
    await work;
    expect(said).toEqual([
      "progress: waiting for revision r2 to become active (status READY, 0ms of at most 30m)",
      "progress: waiting for revision r2 to become active (status AWAITING_DATABASE, 2s of at most 30m)",
      "progress: waiting for revision r2 to become active (status AWAITING_DATABASE, 32s of at most 30m)",
      "progress: waiting for revision r2 to become active (status AWAITING_DATABASE, 1m2s of at most 30m)",
      "progress: revision r2 is active (after 1m4s)",
    ]);
  });
});
