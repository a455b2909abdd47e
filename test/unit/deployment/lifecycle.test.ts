import { describe, expect, it } from "vitest";
import { diff } from "../../../provider/deployment/diff";
import { UnfinishedError } from "../../../provider/deployment/errors";
import { read, remove, update } from "../../../provider/deployment/lifecycle";
import type { Declared, State } from "../../../provider/deployment/state";
import type { Values } from "../../../provider/deployment/values";
import { standard } from "../../../provider/dialects/standard";
import { declare, failed, rejectionOf, served, setUp, stateAfter, type Scripts } from "../support/service";

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

describe("update", () => {
  it("sends one PATCH with what changed, and waits for the revision that it made", async () => {
    const looks = [served(next, made), served(next, rolledOut)];
    const { work, service } = updating({ update: [served(next, made)], look: looks }, next);
    const state = await work;
    expect(service.calls).toEqual([
      ["update", "d1", imagePatch],
      ["look", "d1"],
      ["look", "d1"],
    ]);
    expect(state).toMatchObject({ ...next, generation: 2, activeRevisionId: "r2" });
    expect(state.__memory.rollout).toBeUndefined();
  });

  it("waits for nothing when only settings change", async () => {
    const declared = declare({ sourceConfig: { resourceSpec: { cpu: 2 } } }, first);
    const { work, service } = updating({ update: [served(declared, made)] }, declared);
    const state = await work;
    expect(state).toMatchObject({ generation: 1, sourceConfig: { resourceSpec: { cpu: 2 } } });
    expect(state.__memory.rollout).toBeUndefined();
    expect(service.calls).toEqual([["update", "d1", { sourceConfig: { resourceSpec: { cpu: 2 } } }]]);
  });

  it("sends nothing when only this side's arguments change", async () => {
    const declared = declare({ skipAwait: true, adopt: true }, first);
    const { work, service } = updating({}, declared);
    expect(await work).toMatchObject({
      skipAwait: true,
      adopt: true,
      activeRevisionId: "r1",
      tenantId: "t1",
    });
    expect(service.calls).toEqual([]);
  });

  it("does not wait with skipAwait", async () => {
    const declared = declare({ ...imagePatch, skipAwait: true }, first);
    const { work, service } = updating({ update: [served(declared, made)] }, declared);
    expect(await work).toMatchObject({ latestRevisionId: "r2", activeRevisionId: "r1" });
    expect(service.methods).toEqual(["update"]);
  });

  it("returns at its time limit, and keeps what the service has and the mark", async () => {
    const scripts = { update: [served(next, made)], look: [served(next, { ...made, status: "UNKNOWN" })] };
    const { work, clock } = updating(scripts, next, stateAfter(first), { timeout: 60_000 });
    const began = clock.now();
    const error = await rejectionOf(work);
    expect(clock.now() - began).toBe(60_000);
    expect(error).toBeInstanceOf(UnfinishedError);
    expect(error.message).toContain("the next `pulumi up` resumes waiting");
    expect(error).toMatchObject({
      id: "d1",
      state: {
        ...next,
        generation: 2,
        status: "UNKNOWN",
        __memory: { rollout: { revision: "r2", previous: ["r1"] } },
      },
    });
  });

  it("fails without a state of its own when the service refused the change", async () => {
    const { work, service } = updating({ update: [failed("invalid")] }, next);
    expect(await rejectionOf(work)).not.toBeInstanceOf(UnfinishedError);
    expect(service.methods).toEqual(["update"]);
  });
});

describe("a PATCH for a revision whose answer was lost", () => {
  const lost = failed("unavailable", { maybeDone: true });

  it("is not sent again when the revision is there", async () => {
    const { work, service } = updating({ update: [lost], read: [served(next, rolledOut)] }, next);
    expect(await work).toMatchObject({ activeRevisionId: "r2" });
    expect(service.methods).toEqual(["update", "read"]);
  });

  it("is sent again when there is no new revision, or another one than this", async () => {
    for (const found of [served(first), served(first, rolledOut), undefined]) {
      const { work, service } = updating({ update: [lost, served(next, rolledOut)], read: [found] }, next);
      await work;
      expect(service.methods).toEqual(["update", "read", "update"]);
    }
  });

  it("is sent again for a trigger, although all is as declared, when there is no new revision", async () => {
    const triggered = declare({ triggers: 1 }, first);
    const script = { update: [lost, served(triggered, rolledOut)], read: [served(triggered)] };
    const { work, service } = updating(script, triggered);
    await work;
    expect(service.methods).toEqual(["update", "read", "update"]);
  });

  it("is sent three times at the most", async () => {
    const { work, service } = updating({ update: [lost], read: [served(first)] }, next);
    expect(await rejectionOf(work)).toBe(lost);
    expect(service.count("update")).toBe(3);
  });

  it("is left to the client when it only changes settings", async () => {
    const declared = declare({ sourceConfig: {} }, first);
    const { work, service } = updating({ update: [lost] }, declared);
    expect(await rejectionOf(work)).toBe(lost);
    expect(service.methods).toEqual(["update"]);
  });
});

describe("an update after a rollout that was not finished", () => {
  const state = stateAfter(next, made, rollout);

  it("resumes waiting without a PATCH", async () => {
    const { work, service } = updating(
      { read: [served(next, made)], look: [served(next, made), served(next, rolledOut)] },
      next,
      state,
    );
    expect((await work).__memory.rollout).toBeUndefined();
    expect(service.methods).toEqual(["read", "look", "look"]);
  });

  it("never ends well over a rollout that goes on", async () => {
    const scripts = { read: [served(next, made)], look: [served(next, made)] };
    const { work } = updating(scripts, next, state, { timeout: 60_000 });
    expect(await rejectionOf(work)).toMatchObject({ state: { __memory: { rollout } } });
  });

  it("waits for it also when settings change", async () => {
    const declared = declare({ ...imagePatch, sourceConfig: {} }, next);
    const { work, service } = updating(
      { update: [served(declared, made)], look: [served(declared, rolledOut)] },
      declared,
      state,
    );
    expect((await work).__memory.rollout).toBeUndefined();
    expect(service.methods).toEqual(["update", "look"]);
  });

  it("waits for the new revision when it makes one", async () => {
    const declared = declare({ sourceRevisionConfig: { imageUri: "registry.example.com/chat:3" } }, next);
    const third = { latestRevisionId: "r3", activeRevisionId: "r1" };
    const looks = [
      served(declared, { ...third, activeRevisionId: "r2" }),
      served(declared, { ...third, activeRevisionId: "r3" }),
    ];
    const { work } = updating({ update: [served(declared, third)], look: looks }, declared, state);
    expect(await work).toMatchObject({ activeRevisionId: "r3" });
  });

  it("says so when somebody deleted the deployment", async () => {
    const { work } = updating({ read: [undefined] }, next, state);
    expect((await rejectionOf(work)).message).toBe(
      "the deployment is gone: somebody deleted it. Run `pulumi refresh`, then `pulumi up`",
    );
  });

  it("forgets it with skipAwait", async () => {
    const declared = declare({ ...imagePatch, skipAwait: true }, next);
    const { work, service } = updating({}, declared, state);
    expect((await work).__memory.rollout).toBeUndefined();
    expect(service.calls).toEqual([]);
  });
});

describe("read", () => {
  const reading = (scripts: Scripts, state: State, more = {}) => {
    const setup = setUp(scripts, more);
    return { ...setup, work: setup.clock.run(read(setup.context, "d1", state)) };
  };

  it("asks once, and finds the same", async () => {
    const state = { ...stateAfter(first), __context: { urn: "kept" } };
    const { work, service } = reading({ read: [served(first)] }, state);
    expect(await work).toEqual(state);
    expect(service.calls).toEqual([["read", "d1"]]);
  });

  it("puts what changed on the service into the declared values and the outputs", async () => {
    const found = served(first, {
      sourceConfig: { resourceSpec: { cpu: 4, memoryMb: 2048 }, customUrl: "https://chat.example.com" },
      sourceRevisionConfig: { ...first.sourceRevisionConfig, repoCommitSha: "abc" },
      imageVersion: "7",
      updatedAt: "2030-02-02T00:00:00Z",
      ...rolledOut,
    });
    const { work } = reading({ read: [found] }, stateAfter(first));
    expect(await work).toMatchObject({
      sourceConfig: { resourceSpec: { cpu: 4 } },
      url: "https://chat.example.com",
      repoCommitSha: "abc",
      imageVersion: "7",
      updatedAt: "2030-02-02T00:00:00Z",
      ...rolledOut,
    });
  });

  it.each([
    ["is gone", undefined],
    ["is being deleted", served(first, { status: "AWAITING_DELETE" })],
  ])("finds nothing where the deployment %s", async (_name, found) => {
    expect(await reading({ read: [found] }, stateAfter(first)).work).toBeUndefined();
  });

  it("does not take an error for a deployment that is gone", async () => {
    const error = failed("foreign");
    expect(await rejectionOf(reading({ read: [error] }, stateAfter(first)).work)).toBe(error);
  });

  it("does not look for the deployment of one tenant with another's connection", async () => {
    const { work, service } = reading({}, stateAfter(first), { tenantId: "t2" });
    expect((await rejectionOf(work)).message).toBe(
      "the deployment belongs to tenant t1, the connection is set to tenant t2: what this tenant does not see is not " +
        "taken as deleted. Set `deployment-service:tenantId`",
    );
    expect(service.calls).toEqual([]);
    const own = reading({ read: [served(first)] }, stateAfter(first), { tenantId: "t1" });
    expect(await own.work).toBeDefined();
  });

  it("keeps the mark of a rollout that goes on, so that the next update knows", async () => {
    const { work } = reading({ read: [served(next, made)] }, stateAfter(next, made, rollout));
    const state = await work;
    expect(state?.__memory.rollout).toEqual(rollout);
    expect(diff(state!, next, standard)).toMatchObject({
      plan: { kind: "none" },
      resumes: true,
      explanation: "chat: resumes waiting for its last rollout, no new revision",
    });
  });

  it("takes the mark away once the rollout has ended", async () => {
    const { work } = reading({ read: [served(next, rolledOut)] }, stateAfter(next, made, rollout));
    const state = await work;
    expect(state?.__memory.rollout).toBeUndefined();
    expect(diff(state!, next, standard)).toMatchObject({ resumes: false, explanation: undefined });
  });
});

describe("remove", () => {
  const removing = (scripts: Scripts, timeout = 600_000) => {
    const setup = setUp(scripts, { timeout });
    return { ...setup, work: setup.clock.run(remove(setup.context, "d1")) };
  };
  const going = served(first, { status: "AWAITING_DELETE" });

  it("sends one DELETE, and looks until the deployment is gone", async () => {
    const { work, service, said } = removing({ delete: [undefined], look: [going, going, undefined] });
    await work;
    expect(service.methods).toEqual(["delete", "look", "look", "look"]);
    expect(said).toEqual(["progress: waiting until it is gone (0ms of at most 10m)"]);
  });

  it("has nothing to do where the deployment is gone", async () => {
    const { work, service } = removing({ delete: [failed("not-found")] });
    await work;
    expect(service.methods).toEqual(["delete"]);
  });

  it("goes on waiting where an earlier run began it", async () => {
    const { work, service } = removing({ delete: [failed("conflict")], read: [going], look: [undefined] });
    await work;
    expect(service.methods).toEqual(["delete", "read", "look"]);
  });

  it("is done where it was gone by the time of the conflict", async () => {
    const { work, service } = removing({ delete: [failed("conflict")], read: [undefined] });
    await work;
    expect(service.methods).toEqual(["delete", "read"]);
  });

  it("fails with the service's own conflict where nothing is being deleted", async () => {
    const conflict = failed("conflict");
    const { work } = removing({ delete: [conflict], read: [served(first)] });
    expect(await rejectionOf(work)).toBe(conflict);
  });

  it("fails with what the service refused", async () => {
    const forbidden = failed("forbidden");
    expect(await rejectionOf(removing({ delete: [forbidden] }).work)).toBe(forbidden);
  });

  it("survives looks that fail for a while", async () => {
    const looks = [failed("unavailable"), failed("timeout"), going, undefined];
    const { work, service } = removing({ delete: [undefined], look: looks });
    await work;
    expect(service.count("look")).toBe(4);
  });

  it("fails at its time limit, and says how to go on", async () => {
    const { work, clock } = removing({ delete: [undefined], look: [going] }, 60_000);
    const began = clock.now();
    expect((await rejectionOf(work)).message).toBe(
      "the deployment was not gone within 1m. It stays in the state; run the command again to go on waiting, or give " +
        "it more time with the resource option `customTimeouts`",
    );
    expect(clock.now() - began).toBe(60_000);
  });
});

describe("diff", () => {
  it.each([
    ["nothing", {}, undefined],
    ["an image", imagePatch, "chat: creates a new revision (sourceRevisionConfig.imageUri)"],
    [
      "settings",
      { sourceConfig: { buildOnPush: true, resourceSpec: { cpu: 1 } }, secrets: { API_KEY: "new", B: "1" } },
      "chat: updates settings, no new revision (sourceConfig.buildOnPush, secrets.API_KEY, secrets.B)",
    ],
    ["a source", { source: "codehost" }, "chat: replaces the deployment (source)"],
    ["a name", { name: "talk" }, "chat: replaces the deployment (name)"],
    ["a trigger and settings", { triggers: 1, secrets: {} }, "chat: creates a new revision (triggers)"],
  ])("explains a change of %s in one line", (_name, change, explanation) => {
    expect(diff(stateAfter(first), declare(change, first), standard).explanation).toBe(explanation);
  });

  it("deletes first when the name stays, since it can be there only once", () => {
    const deletesFirst = (change: Values) =>
      diff(stateAfter(first), declare(change, first), standard).deleteBeforeReplace;
    expect([{ source: "codehost" }, imagePatch, { name: "talk" }].map(deletesFirst)).toEqual([
      true,
      true,
      false,
    ]);
  });

  it("is none for the tier that the service chose, and a replacement for another one", () => {
    const state = stateAfter(first, { sourceConfig: { ...first.sourceConfig, deploymentType: "prod" } });
    const tier = (deploymentType: string) =>
      diff(state, declare({ sourceConfig: { ...first.sourceConfig, deploymentType } }, first), standard).plan
        .kind;
    expect([tier("prod"), tier("dev")]).toEqual(["none", "replacement"]);
  });
});
