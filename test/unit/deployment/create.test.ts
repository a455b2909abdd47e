import { describe, expect, it } from "vitest";
import { deployedAs, UnfinishedError } from "../../../provider/deployment/state";
import { create } from "../../../provider/deployment/create";
import { standard } from "../../../provider/dialects/standard";
import { declare, failed, rejectionOf, served, setUp, stateAfter, type Scripts } from "../../support/service";

const declared = declare();
const waiting = { status: "AWAITING_DATABASE", activeRevisionId: null };
const lost = failed("unreachable", { isAmbiguous: true });
const taken = failed("conflict", { message: "POST /v2/deployments answered 409 Conflict: name is taken" });

function creating(scripts: Scripts, given = declared, more = {}) {
  const setup = setUp(scripts, more);
  return { ...setup, work: setup.clock.run(create(setup.context, given)) };
}

describe("create", () => {
  it("holds what it found after a lost response against a deletion in the same run: it may be what was there before", async () => {
    const { work, context } = creating({ create: [lost], find: [served(declared)] });
    const { id, state } = await work;
    expect(context.run.claimOn(deployedAs(id, state.observed))).toMatchObject({ hold: "keeps" });
    expect(context.run.isResult(state)).toBe(false);
  });
});

describe("a name that is taken", () => {
  const renamed = "If the resource was renamed in the program, set the resource option `aliases`. ";
  const takeOver =
    "To take over the existing deployment (an interrupted `pulumi up` may have created it), set `adopt: true` or import it with " +
    "`deployment-service import`. Otherwise choose another name";
  const onRequest =
    ". If `--replace` or `state taint` replaces this resource, set the resource option `deleteBeforeReplace: true`";

  it("is an error that says what to type", async () => {
    const { work, service } = creating({ create: [taken], find: [served(declared, { id: "other" })] });
    const error = await rejectionOf(work);
    expect(error.message).toBe(
      `POST /v2/deployments answered 409 Conflict: name is taken. ${renamed}${takeOver}${onRequest}`,
    );
    expect(error.cause).toBe(taken);
    expect(service.methods).toEqual(["create", "find"]);
  });

  it("names `deleteBeforeReplace` alone where the resource itself has it, and not where the program moves or renames it", async () => {
    const advice = async (id: string | undefined) => {
      const { context, clock } = setUp({ create: [taken], find: [served(declared)] });
      context.run.compared.set("chat", id === undefined ? undefined : { id, state: stateAfter(declared) });
      const { message } = await rejectionOf(clock.run(create(context, declared)));
      return message.slice(taken.message.length + 2);
    };
    expect(await advice("d1")).toBe(
      "The name belongs to this resource's own deployment d1, because the engine creates the replacement first: set the " +
        "resource option `deleteBeforeReplace: true`",
    );
    expect(await advice("d2")).toBe(takeOver);
    expect(await advice(undefined)).toBe(takeOver);
  });

  describe("by somebody who was faster than a program that adopts", () => {
    const adopting = declare({ adopt: true });

    it("is looked up again, and the deployment is adopted", async () => {
      const scripts = { find: [undefined, served(adopting, { id: "theirs" })], create: [taken] };
      const { work, service } = creating(scripts, adopting);
      expect((await work).id).toBe("theirs");
      expect(service.methods).toEqual(["find", "create", "find"]);
    });

    it("is an error that does not advise what the program says already, where the list does not show it", async () => {
      const { work } = creating({ find: [undefined], create: [taken] }, adopting);
      expect((await rejectionOf(work)).message).toBe(
        `${taken.message}. The service's list has no deployment of that name to adopt: run \`pulumi up\` again, or choose another name`,
      );
    });
  });

  it("is that same error when nobody can tell who holds it", async () => {
    const { work } = creating({ create: [taken], find: [failed("unavailable")] });
    expect((await rejectionOf(work)).cause).toBe(taken);
  });

  it("is waited for where its deployment is being deleted (A23)", async () => {
    const going = served(declared, { id: "old", status: "AWAITING_DELETE" });
    const scripts = { create: [taken, served(declared)], find: [going], poll: [going, undefined] };
    const { work, service } = creating(scripts);
    expect((await work).id).toBe("d1");
    expect(service.methods).toEqual(["create", "find", "poll", "poll", "create"]);
  });

  it("is not waited for longer than a creation may take (A23)", async () => {
    const going = served(declared, { id: "old", status: "AWAITING_DELETE" });
    const { work } = creating({ create: [taken], find: [going], poll: [going] });
    expect((await rejectionOf(work)).message).toBe(
      "POST /v2/deployments answered 409 Conflict: name is taken. The deployment old has the name. It is being deleted but still exists: run the command again to continue waiting",
    );
  });

  describe("of which the service says what may hold it (A21)", () => {
    const held = failed("conflict", {
      message: "answered 409 Conflict: A tracing project with this name already exists",
      advice: "Delete the tracing project.",
    });

    it("is held by that where no deployment has the name", async () => {
      const { work, service } = creating({ create: [held], find: [undefined] });
      expect(await rejectionOf(work)).toBe(held);
      expect(service.methods).toEqual(["create", "find"]);
    });

    it("belongs to the deployment of the name where there is one, as when a run was killed", async () => {
      const { work } = creating({ create: [held], find: [served(declared)] });
      const { message, cause } = await rejectionOf(work);
      expect(message).toContain("set `adopt: true`");
      expect(cause).toBe(held);
    });

    it("is waited for where its deployment is being deleted (A23)", async () => {
      const going = served(declared, { id: "old", status: "AWAITING_FINAL_DELETE" });
      const { work, service } = creating({
        create: [held, served(declared)],
        find: [going],
        poll: [going, undefined],
      });
      expect((await work).id).toBe("d1");
      expect(service.methods).toEqual(["create", "find", "poll", "poll", "create"]);
    });

    it("belongs to this call's own work where an earlier response was lost (A20)", async () => {
      const { work, service } = creating({ create: [lost, held], find: [undefined, served(declared)] });
      expect((await work).id).toBe("d1");
      expect(service.methods).toEqual(["create", "find", "create", "find"]);
    });
  });

  it("is looked up first where the service would make a second one of it", async () => {
    const dialect = { ...standard, uniqueNames: false };
    const { work, service } = creating({ find: [served(declared, { id: "other" })] }, declared, { dialect });
    expect((await rejectionOf(work)).message).toMatch(
      /^a deployment of this name already exists \(id other\)\. If the resource was renamed/,
    );
    expect(service.methods).toEqual(["find"]);
  });
});

describe("a list that lags behind the POST", () => {
  it("is polled again and again, and accuses nobody", async () => {
    const late = [...Array<undefined>(9).fill(undefined), served(declared)];
    const shown = creating({ create: [served(declared, waiting)], poll: late });
    expect((await shown.work).state.observed.status).toBe("READY");
    const never = creating({ create: [served(declared, waiting)], poll: [undefined] });
    const error = await rejectionOf(never.work);
    expect(error).toBeInstanceOf(UnfinishedError);
    expect(error.message).toBe(
      "the service does not show the deployment, which may not be listed yet. It stays in the state: the next `pulumi up` " +
        "resumes waiting, and `pulumi refresh` shows whether it still exists",
    );
    expect(never.service.count("poll")).toBe(10);
  });
});

describe("a POST whose response was lost", () => {
  it("says so when looking it up fails, too", async () => {
    const { work, service } = creating({
      create: [lost],
      find: [failed("unavailable", { message: "no response" })],
    });
    expect((await rejectionOf(work)).message).toBe(
      "POST /v2/deployments answered unreachable. It is not known whether the deployment was created, because looking it up also failed: no response. This may be temporary: run the command again a little later. If the next `pulumi up` finds the name taken, set `adopt: true` once",
    );
    expect(service.methods).toEqual(["create", "find"]);
  });
});
