import { describe, expect, it } from "vitest";
import { create } from "../../../provider/deployment/create";
import { deployedAs, UnfinishedError } from "../../../provider/deployment/state";
import { standard } from "../../../provider/dialects/standard";
import { creating, declare, failed, rejectionOf, served, setUp, stateAfter } from "../../support/service";

const declared = declare();
const adopting = declare({ adopt: true });
const lost = failed("unreachable", { isAmbiguous: true });
const taken = failed("conflict", { message: "POST /v2/deployments answered 409 Conflict: name is taken" });
const held = failed("conflict", {
  message: "answered 409 Conflict: A tracing project with this name already exists",
  advice: "Delete the tracing project.",
});

it("a deployment found after a lost response is kept from deletion in the same run: it may have existed before", async () => {
  const { work, context } = creating({ create: [lost], find: [served(declared)] }, declared);
  const { id, state } = await work;
  expect(context.run.claims.claimOn(deployedAs(id, state.observed))).toMatchObject({ hold: "keeps" });
  expect(context.run.isResult(state)).toBe(false);
});

describe("a name that is taken", () => {
  const otherStack = "If another stack of this program has it, put the stack into the name: chat-STACK. ";
  const renamed = "If the resource was renamed in the program, set the resource option `aliases`. ";
  const takeOver =
    "To take the deployment over (an interrupted `pulumi up` may have created it), set `adopt: true` or import it";
  const option = "replaces this resource, set the resource option `deleteBeforeReplace: true`";

  it("is an error that says what to type", async () => {
    const scripts = { create: [taken], find: [served(declared, { id: "other" })] };
    const { work, service } = creating(scripts, declared);
    const { message, cause } = await rejectionOf(work);
    expect(message).toBe(
      `${taken.message}. ${otherStack}${renamed}${takeOver}. If \`--replace\`, \`state taint\` or \`replacementTrigger\` ${option}`,
    );
    expect(cause).toBe(taken);
    expect(service.methods).toEqual(["create", "find"]);
  });

  it("does not advise `deleteBeforeReplace` if `retainOnDelete` keeps what is replaced", async () => {
    const { context, clock } = setUp({ create: [taken], find: [served(declared, { id: "other" })] });
    const { message } = await rejectionOf(clock.run(create({ ...context, retainOnDelete: true }, declared)));
    expect(message).not.toContain("deleteBeforeReplace");
    expect(message).toContain(
      "replaces this resource, `retainOnDelete` keeps the old deployment: choose another name, or set " +
        "`adopt: true` if the source stays the same",
    );
  });

  it("advises to delete a deployment of another source only if an interrupted run created it", async () => {
    const other = { ...served(declared, { id: "other" }), source: "codehost" as const };
    const { work } = creating({ create: [taken], find: [other] }, declared);
    const { message } = await rejectionOf(work);
    expect(message).toBe(
      `${taken.message}. ${otherStack}Otherwise choose another name, because the source of other is codehost, which cannot change. ` +
        "If an interrupted `pulumi up` created that deployment, delete it on the service",
    );
  });

  it("asks for `deleteBeforeReplace` only if the resource itself has the name", async () => {
    const advice = async (id: string | undefined, more: object = {}) => {
      const { context: usual, clock } = setUp({ create: [taken], find: [served(declared)] });
      const context = { ...usual, ...more };
      context.run.compared.set("chat", id === undefined ? undefined : { id, state: stateAfter(declared) });
      const { message } = await rejectionOf(clock.run(create(context, declared)));
      return message.slice(taken.message.length + 2);
    };
    const adoption = "choose another name, or set `adopt: true` if the source stays the same";
    expect(await advice("d1")).toBe(
      "The name belongs to this resource's own deployment d1, because the engine creates the replacement first: set the " +
        `resource option \`deleteBeforeReplace: true\`. If \`retainOnDelete\` keeps that deployment, ${adoption}`,
    );
    expect(await advice("d1", { retainOnDelete: true })).toBe(
      `The name belongs to this resource's own deployment d1, which \`retainOnDelete\` keeps: ${adoption}`,
    );
    expect([await advice("d2"), await advice(undefined)]).toEqual([
      otherStack + takeOver,
      otherStack + takeOver,
    ]);
  });

  it("is adopted if the program says so, even if someone else was faster", async () => {
    const scripts = { find: [undefined, served(adopting, { id: "theirs" })], create: [taken] };
    const { work, service } = creating(scripts, adopting);
    expect((await work).id).toBe("theirs");
    expect(service.methods).toEqual(["find", "create", "find"]);
  });

  it("that no list shows is an error that does not advise what the program already says", async () => {
    const { work } = creating({ find: [undefined], create: [taken] }, adopting);
    expect((await rejectionOf(work)).message).toBe(
      `${taken.message}. The service's list has no deployment of that name to adopt: run \`pulumi up\` again, or choose another name`,
    );
  });

  it.each([
    ["a conflict", taken, "AWAITING_DELETE"],
    ["a conflict with an explanation of its own", held, "AWAITING_FINAL_DELETE"],
  ])("is waited for while its deployment is being deleted, after %s (A23)", async (_, conflict, status) => {
    const going = served(declared, { id: "old", status });
    const scripts = { create: [conflict, served(declared)], find: [going], poll: [going, undefined] };
    const { work, service } = creating(scripts, declared);
    expect((await work).id).toBe("d1");
    expect(service.methods).toEqual(["create", "find", "poll", "poll", "create"]);
  });

  it("is not waited for longer than a creation may take (A23)", async () => {
    const going = served(declared, { id: "old", status: "AWAITING_DELETE" });
    const { work } = creating({ create: [taken], find: [going], poll: [going] }, declared);
    expect((await rejectionOf(work)).message).toBe(
      `${taken.message}. The deployment old has the name. It is being deleted but still exists: run the command again to continue waiting`,
    );
  });

  it("gets the service's explanation if no deployment has it, and `adopt` as the way out if one has (A21)", async () => {
    expect(await rejectionOf(creating({ create: [held], find: [undefined] }, declared).work)).toBe(held);
    const { message, cause } = await rejectionOf(
      creating({ create: [held], find: [served(declared)] }, declared).work,
    );
    expect(message).toContain("set `adopt: true`");
    expect(cause).toBe(held);
  });

  it("is this call's own work if an earlier response was lost (A20)", async () => {
    const scripts = { create: [lost, held], find: [undefined, served(declared)] };
    const { work, service } = creating(scripts, declared);
    expect((await work).id).toBe("d1");
    expect(service.methods).toEqual(["create", "find", "create", "find"]);
  });

  it("is looked up first if the service would create a second deployment", async () => {
    const dialect = { ...standard, uniqueNames: false };
    const { work, service } = creating({ find: [served(declared, { id: "other" })] }, declared, { dialect });
    expect((await rejectionOf(work)).message).toMatch(
      /^a deployment of this name already exists \(id other\)\. If another stack of this program has it/,
    );
    expect(service.methods).toEqual(["find"]);
  });
});

it("a new deployment that the list does not show yet is polled ten times before the creation fails", async () => {
  const waiting = served(declared, { status: "AWAITING_DATABASE", activeRevisionId: null });
  const late = [...Array<undefined>(9).fill(undefined), served(declared)];
  const shown = creating({ create: [waiting], poll: late }, declared);
  expect((await shown.work).state.observed.status).toBe("READY");
  const never = creating({ create: [waiting], poll: [undefined] }, declared);
  const error = await rejectionOf(never.work);
  expect(error).toBeInstanceOf(UnfinishedError);
  expect(error.message).toBe(
    "the service does not show the deployment, which may not be listed yet. It stays in the state: the next `pulumi up` " +
      "resumes waiting, and `pulumi refresh` shows whether it still exists",
  );
  expect(never.service.count("poll")).toBe(10);
});

it("a POST whose response was lost says so if looking the deployment up fails too", async () => {
  const scripts = { create: [lost], find: [failed("unavailable", { message: "no response" })] };
  const { work, service } = creating(scripts, declared);
  expect((await rejectionOf(work)).message).toBe(
    "POST /v2/deployments answered unreachable. It is not known whether the deployment was created, because looking it up also failed: no response. This may be temporary: run the command again a little later. If the next `pulumi up` finds the name taken, set `adopt: true` once",
  );
  expect(service.methods).toEqual(["create", "find"]);
});
