import { describe, expect, it } from "vitest";
import { RunClaims } from "../../../provider/deployment/claims";

const chat = { id: "6F0E6C1A-0000-4000-8000-000000000001", createdAt: "2030-01-01T00:00:00Z" };

describe("what a run keeps", () => {
  it("is told by the id in either letter case", () => {
    const run = new RunClaims();
    run.claim(chat, "new", "keeps");
    expect(run.claimOn({ ...chat, id: chat.id.toLowerCase() })).toMatchObject({ resource: "new" });
    expect(run.claimOn({ ...chat, id: "6f0e6c1a-0000-4000-8000-000000000002" })).toBeUndefined();
  });

  it("is not what another service happens to give the same id", () => {
    const run = new RunClaims();
    run.claim(chat, "new", "keeps");
    expect(run.claimOn({ ...chat, createdAt: "2031-01-01T00:00:00Z" })).toBeUndefined();
    expect(run.claimOn({ ...chat, createdAt: null })).toBeDefined();
  });

  it("is kept although another resource failed to get it, and each resource's last claim counts", () => {
    const run = new RunClaims();
    run.claim(chat, "a", "failed");
    expect(run.claimOn(chat)).toMatchObject({ resource: "a", hold: "failed" });
    run.claim(chat, "b", "keeps");
    expect(run.claimOn(chat)).toMatchObject({ resource: "b", hold: "keeps" });
    run.claim(chat, "b", "none");
    expect(run.claimOn(chat)).toMatchObject({ resource: "a", hold: "failed" });
    run.claim(chat, "a", "keeps");
    expect(run.claimOn(chat)).toMatchObject({ resource: "a", hold: "keeps" });
  });

  it("is another resource's where that keeps it, and not where it failed to get it", () => {
    const run = new RunClaims();
    run.claim(chat, "a", "keeps");
    run.claim(chat, "waiting", "failed");
    expect(run.keptByOther(chat, "a")).toBeUndefined();
    run.claim(chat, "b", "keeps");
    expect(run.keptByOther(chat, "a")).toMatchObject({ resource: "b" });
    expect(run.keptByOther({ ...chat, createdAt: "2031-01-01T00:00:00Z" }, "a")).toBeUndefined();
  });

  it("ends for a resource that the engine replaces after all, and for no other", () => {
    const run = new RunClaims();
    run.claim(chat, "a", "keeps");
    run.release("a");
    expect(run.claimOn(chat)).toBeUndefined();
    run.claim(chat, "b", "keeps");
    run.release("a");
    expect(run.claimOn(chat)).toMatchObject({ resource: "b" });
  });

  it("is also what could not be replaced, by its resource and by its name at the service", async () => {
    const run = new RunClaims();
    const place = { resource: "new", address: "https://a.example.com", name: "chat" };
    await run.keepReplaced(place, () => Promise.reject(new Error("no"))).catch(() => undefined);
    const hold = (more: Partial<typeof place>) => run.claimOn(chat, { ...place, ...more })?.hold;
    expect(hold({ resource: "old" })).toBe("failed");
    expect(hold({ name: "chat-2" })).toBe("failed");
    expect(hold({ resource: "old", address: "https://b.example.com" })).toBeUndefined();
    await run.keepReplaced(place, () => Promise.resolve());
    expect(hold({})).toBeUndefined();
  });
});
