import { describe, expect, it } from "vitest";
import { diff } from "../../../provider/deployment/diff";
import { remove } from "../../../provider/deployment/delete";
import { read } from "../../../provider/deployment/read";
import type { Context } from "../../../provider/deployment/context";
import type { MadeWith, State } from "../../../provider/deployment/state";
import { langsmith } from "../../../provider/dialects/langsmith";
import { standard } from "../../../provider/dialects/standard";
import {
  address,
  declare,
  failed,
  rejectionOf,
  served,
  setUp,
  stateAfter,
  type Scripts,
} from "../../support/service";

const first = declare();
const next = declare({ sourceRevisionConfig: { imageUri: "registry.example.com/chat:2" } }, first);
const made = { latestRevisionId: "r2", activeRevisionId: "r1" };
const rolledOut = { latestRevisionId: "r2", activeRevisionId: "r2" };
/** Revision r2 was made by an earlier run that did not see the end of it. */
const rollout = { revision: "r2", previous: ["r1"], since: "2029-12-31T23:00:00.000Z" };

describe("read", () => {
  const reading = (scripts: Scripts, state: State, more = {}) => {
    const setup = setUp(scripts, more);
    return { ...setup, work: setup.clock.run(read(setup.context, "d1", state)) };
  };

  it.each([
    ["is gone", undefined],
    ["is being deleted", served(first, { status: "AWAITING_DELETE" })],
    ["is at the last step of being deleted", served(first, { status: "AWAITING_FINAL_DELETE" })],
  ])("finds nothing where the deployment %s (E01, E07)", async (_name, found) => {
    expect(await reading({ read: [found] }, stateAfter(first)).work).toBeUndefined();
  });

  it.each(["UNUSED", "UNKNOWN", "A_NEW_STATUS"])(
    "keeps the deployment with status %s (E08, E09)",
    async (status) => {
      const { work } = reading({ read: [served(first, { status })] }, stateAfter(first));
      expect(await work).toEqual(stateAfter(first, { status }));
    },
  );

  it("shows as an output to which tenant the deployment belongs now (E31)", async () => {
    const { work } = reading({ read: [served(first, { tenantId: "t2" })] }, stateAfter(first));
    const { observed } = (await work)!;
    expect(observed).toEqual({ ...stateAfter(first).observed, tenantId: "t2" });
  });

  it("refuses another source under the id, which the dialect explains, and changes nothing", async () => {
    const found = served(first, { source: "internal_container" });
    expect((await rejectionOf(reading({ read: [found] }, stateAfter(first)).work)).message).toMatch(
      /^the service reports the source internal_container, .* `deployment-service:dialect` .* Nothing was changed$/,
    );
  });

  it("refuses to look with another dialect than the deployment was made with", async () => {
    const { work, service } = reading({}, stateAfter(first), { dialect: langsmith });
    expect((await rejectionOf(work)).message).toContain("the deployment was created with dialect standard");
    expect(service.calls).toEqual([]);
  });

  it("finds nothing changed with a rotated key", async () => {
    const { work } = reading({ read: [served(first)] }, stateAfter(first), { keyDigest: "rotated" });
    expect(await work).toEqual(stateAfter(first));
  });

  it("does not look for the deployment of one tenant with another's connection (D09, D10, F12)", async () => {
    const { work, service } = reading({}, stateAfter(first), { tenantId: "t2" });
    expect((await rejectionOf(work)).message).toBe(
      "the deployment belongs to tenant t1, but the connection is set to tenant t2: nothing was assumed to be deleted. Set " +
        "`deployment-service:tenantId` to t1. `refresh` and `destroy` use the new value only with `--run-program`",
    );
    expect(service.calls).toEqual([]);
    const own = reading({ read: [served(first)] }, stateAfter(first), { tenantId: "t1" });
    expect(await own.work).toBeDefined();
  });

  it("marks the rollout of a change that nobody wrote down, as when a run was killed", async () => {
    const { work } = reading({ read: [served(next, made)] }, stateAfter(first));
    const state = await work;
    expect(state?.private.rollout).toMatchObject({ revision: "r2", previous: ["r1"] });
    expect(diff(state!, next, standard)).toMatchObject({ plan: { kind: "none", resumes: true } });
  });

  it.each([
    ["that has ended", next, rolledOut],
    ["of a push, which changes nothing that is declared", first, made],
  ])("does not mark a rollout %s (E17)", async (_name, declared, revisions) => {
    const { work } = reading({ read: [served(declared, revisions)] }, stateAfter(first));
    expect((await work)?.private.rollout).toBeUndefined();
  });

  it("takes the mark away once the rollout has ended", async () => {
    const { work } = reading({ read: [served(next, rolledOut)] }, stateAfter(next, made, rollout));
    const state = await work;
    expect(state?.private.rollout).toBeUndefined();
    expect(diff(state!, next, standard)).toMatchObject({ plan: { resumes: false }, explanation: undefined });
  });
});

describe("remove", () => {
  const removing = (scripts: Scripts, timeout = 600_000, more = {}) => {
    const setup = setUp(scripts, { timeout, ...more });
    return { ...setup, work: setup.clock.run(remove(setup.context, "d1", stateAfter(first))) };
  };
  const going = served(first, { status: "AWAITING_DELETE" });

  it.each([
    ["the list is not there either", failed("not-found")],
    ["the list shows it", served(first)],
  ])("fails with a 404 where %s", async (_name, listed) => {
    const { work } = removing({ delete: [failed("not-found")], read: [listed] });
    expect(await rejectionOf(work)).toMatchObject({ kind: "not-found" });
  });

  it("does not take what another tenant's connection does not see as deleted (D09)", async () => {
    const { work } = removing({ delete: [failed("not-found")] }, 600_000, { tenantId: "t2" });
    expect((await rejectionOf(work)).message).toContain("nothing was assumed to be deleted");
    const own = { delete: [failed("not-found")], read: [undefined] };
    await removing(own, 600_000, { tenantId: "T1" }).work;
  });

  describe("of what a key does not see, of a tenant that it sees nothing of", () => {
    const nothing = { delete: [failed("not-found")], read: [undefined], seesTenant: [false] };
    const made = { address, tenantId: "t1", dialect: "standard", keyDigest: "own" };
    const blind = (more: Partial<Context>, madeWith: Partial<MadeWith> = made) => {
      const { context, clock } = setUp(nothing, more);
      const state = stateAfter(first);
      const left = { ...state, private: { ...state.private, madeWith } } as State;
      return {
        remove: () => clock.run(remove(context, "d1", left)),
        read: () => clock.run(read(context, "d1", left)),
      };
    };

    it.each<[string, Partial<Context>]>([
      ["the key is the one that made it", { keyDigest: "own" }],
      ["the connection is set to its tenant", { keyDigest: "other", tenantId: "T1" }],
    ])("takes it as deleted where %s", async (_why, more) => {
      await blind(more).remove();
      expect(await blind(more).read()).toBeUndefined();
    });

    it.each([
      ["with another key", made, {}],
      ["where the state does not say which key made it", { ...made, keyDigest: undefined }, {}],
      ["with another key after a try of the DELETE whose response was lost", made, { isAmbiguous: true }],
    ])("refuses %s, and names the ways out", async (_why, madeWith, how) => {
      nothing.delete[0] = failed("not-found", how);
      const { message } = await rejectionOf(blind({ keyDigest: "other" }, madeWith).remove());
      expect(message).toBe(
        "this API key does not see the deployment or any other of its tenant, and it is not the key that created the deployment: nothing was changed. Use the right key, set `deployment-service:tenantId` to t1 (for `refresh` and " +
          "`destroy`, DEPLOYMENT_SERVICE_TENANT_ID), or, if the deployment no longer exists, run `pulumi state delete`",
      );
      expect((await rejectionOf(blind({ keyDigest: "other" }, madeWith).read())).message).toBe(message);
    });
  });

  it.each(["AWAITING_DELETE", "AWAITING_FINAL_DELETE"])(
    "goes on waiting where an earlier run began it (%s) (I04, I10)",
    async (status) => {
      const begun = served(first, { status });
      const { work, service } = removing({ delete: [failed("conflict")], read: [begun], poll: [undefined] });
      await work;
      expect(service.methods).toEqual(["delete", "read", "poll"]);
    },
  );

  it("is done where it was gone by the time of the conflict", async () => {
    const { work, service } = removing({ delete: [failed("conflict")], read: [undefined] });
    await work;
    expect(service.methods).toEqual(["delete", "read"]);
  });

  it.each([
    ["why the last poll told nothing", [going, failed("unavailable")], failed("unavailable")],
    ["nothing of a poll that the time cut off after others were answered", [going, failed("out-of-time")]],
    ["that no poll was ever answered", [failed("out-of-time")], failed("out-of-time")],
  ])("says at its time limit %s", async (_, poll, reason?: Error) => {
    const { message } = await rejectionOf(removing({ delete: [undefined], poll }, 60_000).work);
    const why = reason === undefined ? "" : `, as far as is known; the last poll failed: ${reason.message}`;
    expect(message).toContain(`was not deleted within 1m${why}. It stays in the state`);
  });

  it("fails at its time limit, and says how to go on (I03, I08)", async () => {
    const { work, clock } = removing({ delete: [undefined], poll: [going] }, 60_000);
    const began = clock.now();
    expect((await rejectionOf(work)).message).toBe(
      "the deployment was not deleted within 1m. It stays in the state: run the command again to continue waiting, or run `pulumi refresh` before the next `pulumi up`. To wait longer, set the resource option `customTimeouts`",
    );
    expect(clock.now() - began).toBe(60_000);
  });
});
