import { describe, expect, it } from "vitest";
import { plan } from "../../../provider/deployment/plan";
import { create } from "../../../provider/deployment/create";
import { UnfinishedError } from "../../../provider/deployment/state";
import type { Context } from "../../../provider/deployment/context";
import { langsmith } from "../../../provider/dialects/langsmith";
import { standard } from "../../../provider/dialects/standard";
import type { Values } from "../../../schema/tree";
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
  expect(context.run.claims.claimOn(id, context.claimant)).toMatchObject({ hold: "keeps" });
  expect(context.run.isResult(state)).toBe(false);
});

describe("a name that is taken", () => {
  const urn = (stack: string) =>
    `urn:pulumi:${stack}::shop::pulumi-nodejs:dynamic/deployment-service:Deployment::chat`;
  /** The advice on a name that another deployment has. */
  async function advice(holder: object, args: Values = {}, more: Partial<Context> = {}, stack = "dev") {
    const given = declare(args);
    const old = { createdAt: "2020-01-01T00:00:00Z", id: "other", ...holder };
    const { context, clock } = setUp({ create: [taken], find: [served(given, old)] });
    const claimant = { ...context.claimant, resource: urn(stack) };
    const { message } = await rejectionOf(clock.run(create({ ...context, claimant, ...more }, given)));
    return message.slice(taken.message.length + 2);
  }
  const byReplacement = "`deleteBeforeReplace: true` if `--replace` or `state taint` replaces it";
  const another = "nother stack or program may own it: then choose another `name`";
  const withStack = " (with the stack in it: chat-dev)";
  const sharing = "two stacks that adopt one deployment delete it from each other";
  const takeOver = `${byReplacement}; \`adopt: true\` or \`import\` to take it over (${sharing})`;
  const now = { createdAt: new Date(setUp({}).context.clock.now() - 59 * 60_000).toISOString() };

  it("is most likely that of an interrupted run if it was made within the hour with what is declared", async () => {
    const interrupted =
      "If an interrupted `pulumi up` of this stack created it, run `pulumi refresh --clear-pending-creates`, then set `adopt: true` " +
      "once. If another stack or program owns it, choose another `name`";
    const rest = `: ${sharing}. Otherwise: \`aliases\` if the resource was renamed; ${byReplacement}`;
    expect(await advice(now)).toBe(interrupted + withStack + rest);
    expect(await advice(now, { name: "chat-dev" })).toBe(interrupted + rest);
    for (const other of [
      { sourceConfig: { buildCommand: "other" } },
      { sourceRevisionConfig: { imageUri: "registry.example.com/other:1" } },
      { source: "codehost" },
      { latestRevisionId: "r2", activeRevisionId: "r1" },
    ])
      expect(await advice({ ...now, ...other }, { sourceConfig: { buildCommand: "make" } })).toMatch(
        /^Another stack/,
      );
  });

  it("is most likely that of another stack, unless the name has the stack in it: then of a renamed resource", async () => {
    expect(await advice({})).toBe(
      `A${another}${withStack}. Otherwise: \`aliases\` if the resource was renamed; ${takeOver}`,
    );
    const renamed = `If the resource was renamed in the program, set the resource option \`aliases\`. Otherwise: a${another}; ${takeOver}`;
    expect(await advice({}, { name: "new-chat-dev" })).toBe(renamed);
    expect(await advice({}, { name: "pr-7-chat" }, {}, "pr-7")).toBe(renamed);
    expect(await advice({}, { name: "developer" })).toContain("developer-dev");
  });

  it("is not to be taken over from another source, nor freed where the service or the user keeps it", async () => {
    expect(await advice({ source: "codehost" })).toMatch(
      /; no adoption: the source of other is codehost, which cannot change$/,
    );
    expect(await advice({ source: "codehost" })).not.toContain("adopt:");
    for (const more of [{ retainOnDelete: true }, { dialect: langsmith }])
      expect(await advice({}, {}, more)).not.toContain("deleteBeforeReplace");
  });

  it("may be the resource's own, which the engine keeps until its replacement is there", async () => {
    const own = async (more: Partial<Context> = {}) => {
      const { context } = setUp({});
      const state = stateAfter(declared);
      context.run.compared.set(urn("dev"), { id: "d1", state, plan: plan(state, declared, context.dialect) });
      return advice({ id: "d1" }, {}, { run: context.run, ...more });
    };
    const beginning = "The name belongs to this resource's own deployment d1: ";
    expect(await own()).toBe(
      `${beginning}the engine creates the replacement first. Set the resource option \`deleteBeforeReplace: true\`; if ` +
        "`retainOnDelete` keeps the old deployment, choose another `name`, or set `adopt: true` where the source stays the same",
    );
    expect(await own({ retainOnDelete: true })).toMatch(
      `${beginning}\`retainOnDelete\` keeps the old deployment`,
    );
    expect(await own({ dialect: langsmith })).toMatch(`${beginning}the service would refuse`);
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

  it.each(["AWAITING_DELETE", "AWAITING_FINAL_DELETE"])(
    "is free once its deployment is deleted, which the error says: %s (A23)",
    async (status) => {
      expect(await advice({ status })).toBe(
        "The deployment other has the name and is being deleted: run `pulumi up` again when it is gone",
      );
    },
  );

  it("gets the service's explanation if no deployment has it, and `adopt` as the way out if one has (A21)", async () => {
    expect(await rejectionOf(creating({ create: [held], find: [undefined] }, declared).work)).toBe(held);
    const { message, cause } = await rejectionOf(
      creating({ create: [held], find: [served(declared)] }, declared).work,
    );
    expect(message).toContain("`adopt: true`");
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
      /^a deployment of this name already exists \(id other\)\. If an interrupted `pulumi up` of this stack created it/,
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
