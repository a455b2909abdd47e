import { describe, expect, it } from "vitest";
import type { Context } from "../../../provider/deployment/context";
import { remove } from "../../../provider/deployment/delete";
import { diff } from "../../../provider/deployment/diff";
import { read } from "../../../provider/deployment/read";
import type { MadeWith } from "../../../provider/deployment/private-state";
import type { State } from "../../../provider/deployment/state";
import { langsmith } from "../../../provider/dialects/langsmith";
import { standard } from "../../../provider/dialects/standard";
import { address, declare, failed, rejectionOf, served, setUp, stateAfter } from "../../support/service";
import type { Scripts } from "../../support/service";

const first = declare();
const state = stateAfter(first);
const next = declare({ sourceRevisionConfig: { imageUri: "registry.example.com/chat:2" } }, first);
const made = { latestRevisionId: "r2", activeRevisionId: "r1" };
const rolledOut = { latestRevisionId: "r2", activeRevisionId: "r2" };

describe("read", () => {
  const reading = (scripts: Scripts, more: Partial<Context> = {}, before: State = state) => {
    const setup = setUp(scripts, more);
    return { ...setup, work: setup.clock.run(read(setup.context, "d1", before)) };
  };

  it.each([undefined, "AWAITING_DELETE", "AWAITING_FINAL_DELETE"])(
    "finds nothing if the deployment is deleted or being deleted: %s (E07)",
    async (status) => {
      const found = status === undefined ? undefined : served(first, { status });
      expect(await reading({ read: [found] }).work).toBeUndefined();
    },
  );

  it.each([{ status: "UNUSED" }, { status: "UNKNOWN" }, { status: "A_NEW_STATUS" }, { tenantId: "t2" }])(
    "keeps a deployment of any other status or tenant, and shows it: %j (E08, E09, E31)",
    async (more) => {
      const { observed, ...rest } = (await reading({ read: [served(first, more)] }).work)!;
      expect(observed).toEqual({ ...state.observed, ...more });
      expect(rest).toMatchObject({ arguments: state.arguments, generation: state.generation });
    },
  );

  it("refuses another source under the id, which the dialect explains, and changes nothing", async () => {
    const found = served(first, { source: "internal_container" });
    expect((await rejectionOf(reading({ read: [found] }).work)).message).toMatch(
      /^the service reports the source internal_container, .* `deployment-service:dialect` .* Nothing was changed$/,
    );
  });

  it("refuses to look with another dialect than the deployment was created with", async () => {
    const { work, service } = reading({}, { dialect: langsmith });
    expect((await rejectionOf(work)).message).toContain("the deployment was created with dialect standard");
    expect(service.calls).toEqual([]);
  });

  it("does not look for one tenant's deployment with another tenant's connection (D09, D10)", async () => {
    const { work, service } = reading({}, { tenantId: "t2" });
    expect((await rejectionOf(work)).message).toBe(
      "the deployment belongs to tenant t1, but the connection is set to tenant t2: nothing was assumed to be deleted. Set " +
        "`deployment-service:tenantId` to t1. `refresh` and `destroy` use the new value only with `--run-program`",
    );
    expect(service.calls).toEqual([]);
    expect(await reading({ read: [served(first)] }, { tenantId: "t1" }).work).toBeDefined();
  });

  it.each(Object.values(langsmith.owners))(
    "refuses a $what that an import file brings, which only reads may see",
    async (owner) => {
      const found = { read: [served(first, { owner })] };
      expect((await rejectionOf(reading(found).work)).message).toBe(
        `the deployment d1 is a ${owner.what}, which ${owner.owns}. It is never adopted, imported or deleted here. ` +
          "To read it, use `getDeployment`. If a stack has it already, `pulumi state delete` removes it there",
      );
      const nothing = { arguments: {}, observed: {}, private: {} } as unknown as State;
      expect(await reading(found, {}, nothing).work).toMatchObject({ arguments: { name: "chat" } });
    },
  );

  it("records the rollout of a change that a killed run did not write down", async () => {
    const found = (await reading({ read: [served(next, made)] }).work)!;
    expect(found.private.rollout).toMatchObject({ revision: "r2", previous: ["r1"] });
    expect(diff(found, next, standard)).toMatchObject({ plan: { effect: "none", resumes: true } });
  });

  it.each([
    ["that has ended", next, rolledOut, state],
    ["of a push, which changes nothing that is declared", first, made, state],
    ["of a revision that the state knows, whatever it drifts to", next, made, stateAfter(first, made)],
  ])("records no rollout %s (E17)", async (_name, found, revisions, before) => {
    const seen = await reading({ read: [served(found, revisions)] }, {}, before).work;
    expect(seen?.private.rollout).toBeUndefined();
    expect(seen?.arguments).toEqual(found.arguments);
  });

  it("forgets a recorded rollout once it has ended", async () => {
    const rollout = { revision: "r2", previous: ["r1"] };
    const unfinished = stateAfter(next, made, rollout);
    const found = (await reading({ read: [served(next, rolledOut)] }, {}, unfinished).work)!;
    expect(found.private.rollout).toBeUndefined();
    expect(diff(found, next, standard)).toMatchObject({ plan: { resumes: false }, explanation: undefined });
  });
});

describe("remove", () => {
  const removing = (scripts: Scripts, more: Partial<Context> = {}) => {
    const setup = setUp(scripts, { timeout: 600_000, ...more });
    return { ...setup, work: setup.clock.run(remove(setup.context, "d1", state)) };
  };
  const going = served(first, { status: "AWAITING_DELETE" });

  it.each([failed("not-found"), served(first)])(
    "fails with a 404 if the list does not confirm that the deployment is gone (%#)",
    async (listed) => {
      const { work } = removing({ delete: [failed("not-found")], read: [listed] });
      expect(await rejectionOf(work)).toMatchObject({ kind: "not-found" });
    },
  );

  it.each(Object.values(langsmith.owners))("refuses a $what, whose owner the error names", async (owner) => {
    // Made with that dialect, as far as the state says.
    const dialect = { ...langsmith, name: "standard" };
    const { work, service } = removing({ read: [served(first, { owner })] }, { dialect });
    expect((await rejectionOf(work)).message).toContain(
      `is a ${owner.what}, which ${owner.owns}. It is never`,
    );
    expect(service.methods).toEqual(["read"]);
  });

  it("deletes what cannot be read whole, such as a deployment whose revision is not shown", async () => {
    const dialect = { ...langsmith, name: "standard" };
    const scripts = { read: [failed("forbidden")], delete: [undefined], poll: [undefined] };
    const { work, service } = removing(scripts, { dialect });
    await work;
    expect(service.methods).toEqual(["read", "delete", "poll"]);
  });

  it("does not count what another tenant's connection cannot see as deleted (D09)", async () => {
    const { work } = removing({ delete: [failed("not-found")] }, { tenantId: "t2" });
    expect((await rejectionOf(work)).message).toContain("nothing was assumed to be deleted");
    await removing({ delete: [failed("not-found")], read: [undefined] }, { tenantId: "T1" }).work;
  });

  it.each(["AWAITING_DELETE", "AWAITING_FINAL_DELETE", undefined])(
    "continues a deletion that was begun before (%s) (I04)",
    async (status) => {
      const begun = status === undefined ? undefined : served(first, { status });
      const scripts = { delete: [failed("conflict")], read: [begun], poll: [undefined], seesTenant: [true] };
      const { work, service } = removing(scripts);
      await work;
      expect(service.methods).toEqual(["delete", "read", begun === undefined ? "seesTenant" : "poll"]);
    },
  );

  it("reports a deletion that is still in progress, and not one that the first poll finds done", async () => {
    const long = removing({ delete: [undefined], poll: [going, going, undefined] });
    await long.work;
    expect(long.said).toEqual([
      expect.stringMatching(/^progress: deleting \d+s of 10m: waiting for it to finish$/),
    ]);
    const short = removing({ delete: [undefined], poll: [undefined] });
    await short.work;
    expect(short.said).toEqual([]);
  });

  it.each([
    ["the last poll failed", [going, failed("unavailable")], failed("unavailable")],
    // The thirtieth poll ends with the minute.
    ["the time cut off the last poll", [...Array<typeof going>(29).fill(going), failed("out-of-time")]],
    ["every poll shows it", [going]],
  ])("fails at its time limit and says how to continue: %s (I03)", async (_, poll, reason?: Error) => {
    const { work, clock } = removing({ delete: [undefined], poll }, { timeout: 60_000 });
    const began = clock.now();
    const why = reason === undefined ? "" : `; the last poll failed: ${reason.message}`;
    expect((await rejectionOf(work)).message).toBe(
      `the deployment was not deleted within 1m${why}. It stays in the state: run the command again to continue waiting (the resource ` +
        "option `customTimeouts` gives it more time), or run `pulumi refresh` before the next `pulumi up`",
    );
    expect(clock.now() - began).toBeLessThanOrEqual(60_000);
  });
});

describe("a deployment that the key does not see, nor anything else of its tenant", () => {
  const made = { address, dialect: "standard", keyDigest: "own" };
  const blind = (
    more: Partial<Context>,
    madeWith: Partial<MadeWith> = made,
    refusal = failed("not-found"),
  ) => {
    const { context, clock } = setUp({ delete: [refusal], read: [undefined], seesTenant: [false] }, more);
    const left = { ...state, private: { ...state.private, madeWith } } as State;
    return [remove, read].map((operate) => () => clock.run<unknown>(operate(context, "d1", left)));
  };

  it.each<[string, Partial<Context>]>([
    ["the key is the one that created it", { keyDigest: "own" }],
    ["the connection is set to its tenant", { keyDigest: "other", tenantId: "T1" }],
  ])("counts as deleted if %s", async (_why, more) => {
    for (const operate of blind(more)) expect(await operate()).toBeUndefined();
  });

  it.each([
    ["with another key", made, undefined],
    ["if the state does not say which key created it", { ...made, keyDigest: undefined }, undefined],
    [
      "with another key after a DELETE whose response was lost",
      made,
      failed("not-found", { isAmbiguous: true }),
    ],
    ["with another key after a DELETE that is refused", made, failed("conflict")],
  ])("does not count as deleted %s, and the ways out are named", async (_why, madeWith, refusal) => {
    for (const operate of blind({ keyDigest: "other" }, madeWith, refusal)) {
      expect((await rejectionOf(operate())).message).toBe(
        "this API key does not see the deployment or any other of its tenant, and it is not the key that created the deployment: nothing was changed. Use the right key, set `deployment-service:tenantId` to t1 (for `refresh` and " +
          "`destroy`, DEPLOYMENT_SERVICE_TENANT_ID), or, if the deployment no longer exists, run `pulumi state delete`",
      );
    }
  });
});
