import { describe, expect, it } from "vitest";
import { Claims } from "../../../provider/deployment/claims";
import { create } from "../../../provider/deployment/create";
import { remove } from "../../../provider/deployment/delete";
import { declare, failed, rejectionOf, served, setUp, stateAfter } from "../../support/service";

const chat = "6F0E6C1A-0000-4000-8000-000000000001";
const old = { resource: "old", address: "https://deployments.example.com", name: "chat" };

describe("what a run keeps", () => {
  it("is recognized by the id in either letter case", () => {
    const run = new Claims();
    run.claim(chat, "new", "keeps");
    expect(run.claimOn(chat.toLowerCase(), old)).toMatchObject({ resource: "new" });
    expect(run.claimOn("6f0e6c1a-0000-4000-8000-000000000002", old)).toBeUndefined();
  });

  it("is what a resource has, whatever another one failed to do with it", () => {
    const run = new Claims();
    run.claim(chat, "a", "failed");
    expect(run.claimOn(chat, old)).toMatchObject({ hold: "failed" });
    run.claim(chat, "b", "keeps");
    expect(run.claimOn(chat, old)).toMatchObject({ resource: "b", hold: "keeps" });
  });

  it("ends for a resource that the engine replaces after all, and for no other", () => {
    const run = new Claims();
    run.claim(chat, "a", "keeps");
    run.release("a");
    expect(run.claimOn(chat, old)).toBeUndefined();
    run.claim(chat, "b", "keeps");
    run.release("a");
    expect(run.claimOn(chat, old)).toMatchObject({ resource: "b" });
  });

  it("is what a failed creation was to replace, until one succeeds", async () => {
    const declared = declare();
    const scripts = { create: [failed("invalid"), served(declared)] };
    const { context, clock } = setUp(scripts);
    const run = (work: Promise<unknown>) => clock.run(work);
    await rejectionOf(run(create(context, declared)));
    expect((await rejectionOf(run(remove(context, "d0", stateAfter(declared))))).message).toBe(
      'not deleted: "chat" failed to adopt or replace the deployment d0 in this run. Fix that failure, then run `pulumi up` again',
    );
    expect(context.run.claims.claimOn(chat, context.claimant)).toMatchObject({ hold: "failed" });
    await run(create(context, declared));
    expect(context.run.claims.claimOn(chat, context.claimant)).toBeUndefined();
  });
});
