import { describe, expect, it } from "vitest";
import { type Declared, type State } from "../../../provider/deployment/state";
import { update } from "../../../provider/deployment/update";
import { declare, failed, rejectionOf, served, setUp, stateAfter, type Scripts } from "../../support/service";

const first = declare();
const next = declare({ sourceRevisionConfig: { imageUri: "registry.example.com/chat:2" } }, first);
const made = { latestRevisionId: "r2", activeRevisionId: "r1" };
const rolledOut = { latestRevisionId: "r2", activeRevisionId: "r2" };
/** Revision r2 was made by an earlier run that did not see the end of it. */
const rollout = { revision: "r2", previous: ["r1"], since: "2029-12-31T23:00:00.000Z" };
const imagePatch = { sourceRevisionConfig: { imageUri: "registry.example.com/chat:2" } };

function updating(scripts: Scripts, declared: Declared, state: State = stateAfter(first), more = {}) {
  const setup = setUp(scripts, more);
  return { ...setup, work: setup.clock.run(update(setup.context, "d1", state, declared)) };
}

describe("a PATCH for a revision whose response was lost", () => {
  const lost = failed("unavailable", { isAmbiguous: true });

  it("is sent again when there is no new revision, or another one than this (H01)", async () => {
    for (const found of [served(first), served(first, rolledOut), undefined]) {
      const { work, service } = updating({ update: [lost, served(next, rolledOut)], read: [found] }, next);
      await work;
      expect(service.methods).toEqual(["update", "read", "update"]);
    }
  });
});

describe("an update whose responses still show the revision from before", () => {
  const lagging = served(first);
  const unseen = { revision: null, previous: ["r1"], since: "2029-12-31T23:00:00.000Z" };

  it("waits until the new revision is seen, and then until it is active", async () => {
    const polls = [lagging, lagging, lagging, lagging, served(next, made), lagging, served(next, rolledOut)];
    const { work, service, said } = updating({ update: [lagging], poll: polls }, next);
    expect((await work).observed).toMatchObject({ latestRevisionId: "r2", activeRevisionId: "r2" });
    expect(service.count("poll")).toBe(polls.length);
    expect(said.filter((line) => !line.startsWith("progress: waiting"))).toEqual([
      expect.stringMatching(/^progress: revision r2 is active/),
    ]);
    expect(said[0]).toContain("waiting for the new revision to appear");
  });

  it("waits for the same one when somebody's newer revision follows, and tells of that", async () => {
    const newer = served(next, { latestRevisionId: "r3", activeRevisionId: "r3" });
    const { work, said } = updating({ update: [lagging], poll: [lagging, served(next, made), newer] }, next);
    await work;
    expect(said).toContain("warning: chat: revision r2 was superseded by r3, which is active now");
  });

  it("says that none was seen, judges nothing, and leaves a mark, after ten polls", async () => {
    const { work, service, said } = updating({ update: [lagging], poll: [lagging] }, next);
    const { private: memory, arguments: args } = await work;
    expect(service.count("poll")).toBe(10);
    expect(memory).toMatchObject({ rollout: { revision: null, previous: ["r1"] } });
    expect(memory.normalizations).toEqual([]);
    expect(args).toMatchObject(next.arguments);
    expect(said.filter((line) => line.startsWith("warning"))).toEqual([
      "warning: chat: the service accepted the change but does not show its new revision yet; the latest is still r1. It is not known whether there is a rollout: the next `pulumi up` waits for it again",
    ]);
  });

  it("ends at its time limit before that, with the mark", async () => {
    const { work } = updating({ update: [lagging], poll: [lagging] }, next, stateAfter(first), {
      timeout: 10_000,
    });
    const error = await rejectionOf(work);
    expect(error.message).toContain("no new revision has appeared; the latest is still r1");
    expect(error).toMatchObject({ state: { private: { rollout: { revision: null, previous: ["r1"] } } } });
  });

  it("is waited for by the next run, which ends with the revision that came meanwhile", async () => {
    const scripts = { read: [served(next, made)], poll: [served(next, rolledOut)] };
    const { work, said } = updating(scripts, next, stateAfter(next, {}, unseen));
    expect((await work).private.rollout).toBeUndefined();
    expect(said.join()).not.toContain("warning");
  });

  it("is not waited for any longer by the run after that, which says so", async () => {
    const scripts = { read: [lagging], poll: [lagging] };
    const { work, said } = updating(scripts, next, stateAfter(next, {}, unseen));
    expect((await work).private.rollout).toBeUndefined();
    expect(said.at(-1)).toMatch(
      /^warning: chat: the service still does not show the new revision .* change `triggers`$/,
    );
  });

  it("is told from the revision of the next change, whose response may show it as the latest", async () => {
    const third = declare({ sourceRevisionConfig: { imageUri: "registry.example.com/chat:3" } }, next);
    const late = served(next, rolledOut);
    const done = served(third, { latestRevisionId: "r3", activeRevisionId: "r3" });
    const scripts = { read: [late], update: [late], poll: [late, done] };
    const { work } = updating(scripts, third, stateAfter(next, {}, unseen));
    expect((await work).observed).toMatchObject({ activeRevisionId: "r3" });
  });
});

describe("an update after a rollout that was not finished", () => {
  const state = stateAfter(next, made, rollout);

  it("waits for it also when settings change", async () => {
    const declared = declare({ ...imagePatch, sourceConfig: {} }, next);
    const { work, service } = updating(
      { update: [served(declared, made)], poll: [served(declared, rolledOut)] },
      declared,
      state,
    );
    expect((await work).private.rollout).toBeUndefined();
    expect(service.methods).toEqual(["update", "poll"]);
  });

  it("says so when somebody deleted the deployment", async () => {
    const { work } = updating({ read: [undefined] }, next, state);
    expect((await rejectionOf(work)).message).toBe(
      "the deployment no longer exists: it was deleted outside this stack. Run `pulumi refresh`, then `pulumi up`",
    );
  });

  it("forgets it with skipAwait", async () => {
    const declared = declare({ ...imagePatch, skipAwait: true }, next);
    const { work, service } = updating({}, declared, state);
    expect((await work).private.rollout).toBeUndefined();
    expect(service.calls).toEqual([]);
  });
});
