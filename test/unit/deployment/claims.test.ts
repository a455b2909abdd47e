import { describe, expect, it } from "vitest";
import { Claims } from "../../../provider/deployment/claims";
import { create } from "../../../provider/deployment/create";
import { remove } from "../../../provider/deployment/delete";
import { declare, failed, rejectionOf, served, setUp, stateAfter } from "../../support/service";

const chat = { id: "6F0E6C1A-0000-4000-8000-000000000001", createdAt: "2030-01-01T00:00:00Z" };

describe("what a run keeps", () => {
  it("is recognized by the id in either letter case", () => {
    const run = new Claims();
    run.claim(chat, "new", "keeps");
    expect(run.claimOn({ ...chat, id: chat.id.toLowerCase() })).toMatchObject({ resource: "new" });
    expect(run.claimOn({ ...chat, id: "6f0e6c1a-0000-4000-8000-000000000002" })).toBeUndefined();
  });

  it("is not what another service happens to give the same id", () => {
    const run = new Claims();
    run.claim(chat, "new", "keeps");
    expect(run.claimOn({ ...chat, createdAt: "2031-01-01T00:00:00Z" })).toBeUndefined();
    expect(run.claimOn({ ...chat, createdAt: null })).toBeDefined();
  });

  it("is kept by another resource only if that one succeeded", () => {
    const run = new Claims();
    run.claim(chat, "a", "failed");
    expect(run.keptByOther(chat, "b")).toBeUndefined();
    run.claim(chat, "a", "keeps");
    expect(run.keptByOther(chat, "b")).toMatchObject({ resource: "a" });
    expect(run.keptByOther(chat, "a")).toBeUndefined();
  });

  it("ends for a resource that the engine replaces after all, and for no other", () => {
    const run = new Claims();
    run.claim(chat, "a", "keeps");
    run.release("a");
    expect(run.claimOn(chat)).toBeUndefined();
    run.claim(chat, "b", "keeps");
    run.release("a");
    expect(run.claimOn(chat)).toMatchObject({ resource: "b" });
  });

  it("is what a failed creation was to replace, until one succeeds", async () => {
    const declared = declare();
    const scripts = { create: [failed("invalid"), served(declared)] };
    const { context, clock } = setUp(scripts);
    const run = (work: Promise<unknown>) => clock.run(work);
    const old = stateAfter(declared);
    await rejectionOf(run(create(context, declared)));
    expect((await rejectionOf(run(remove(context, "d0", old)))).message).toBe(
      'not deleted: "chat" failed to adopt or replace the deployment d0 in this run. Fix that failure, then run `pulumi up` again',
    );
    expect(context.run.claims.claimOn(chat, context.claimant)).toMatchObject({ hold: "failed" });
    await run(create(context, declared));
    expect(context.run.claims.claimOn(chat, context.claimant)).toBeUndefined();
  });
});
