import { describe, expect, it } from "vitest";
import { RunClaims } from "../../../provider/deployment/claims";

const chat = { id: "6F0E6C1A-0000-4000-8000-000000000001", createdAt: "2030-01-01T00:00:00Z" };

describe("what a run holds", () => {
  it("is told by the id in either letter case", () => {
    const run = new RunClaims();
    run.claim(chat, "new", "has");
    expect(run.claimOn({ ...chat, id: chat.id.toLowerCase() })).toMatchObject({
      resource: "new",
      hold: "has",
    });
    expect(run.claimOn({ ...chat, id: "6f0e6c1a-0000-4000-8000-000000000002" })).toBeUndefined();
  });

  it("is not what another service happens to give the same id", () => {
    const run = new RunClaims();
    run.claim(chat, "new", "has");
    expect(run.claimOn({ ...chat, createdAt: "2031-01-01T00:00:00Z" })).toBeUndefined();
    expect(run.claimOn({ ...chat, createdAt: null })).toBeDefined();
  });

  it("is the strongest claim, and each resource's last one", () => {
    const run = new RunClaims();
    run.claim(chat, "a", "wants");
    run.claim(chat, "b", "keeps");
    expect(run.claimOn(chat)).toMatchObject({ resource: "b", hold: "keeps" });
    run.claim(chat, "a", "has");
    expect(run.claimOn(chat)).toMatchObject({ resource: "a", hold: "has" });
  });

  it("is another resource's where that has it, keeps it or declares it, and not where it only reads it", () => {
    const run = new RunClaims();
    run.claim(chat, "a", "has");
    expect(run.heldByOther(chat, "a")).toBeUndefined();
    run.claim(chat, "read", "reads");
    run.claim(chat, "waiting", "wants");
    expect(run.heldByOther(chat, "a")).toBeUndefined();
    run.claim(chat, "b", "keeps");
    expect(run.heldByOther(chat, "a")).toMatchObject({ resource: "b" });
    expect(run.heldByOther({ ...chat, createdAt: "2031-01-01T00:00:00Z" }, "a")).toBeUndefined();
  });

  it("ends for a resource that the engine replaces after all, but not what the resource has got", () => {
    const run = new RunClaims();
    run.claim(chat, "a", "keeps");
    run.release("a");
    expect(run.claimOn(chat)).toBeUndefined();
    run.claim(chat, "b", "has");
    run.release("a");
    run.release("b");
    expect(run.claimOn(chat)).toMatchObject({ resource: "b" });
  });

  it("is also what could not be created, under its resource and under its name at the service", () => {
    const run = new RunClaims();
    const place = { resource: "new", address: "https://a.example.com", name: "chat" };
    run.noteReady(place, false);
    expect(run.isNotReady({ ...place, resource: "old" })).toBe(true);
    expect(run.isNotReady({ ...place, name: "chat-2" })).toBe(true);
    expect(run.isNotReady({ resource: "old", address: "https://b.example.com", name: "chat" })).toBe(false);
    run.noteReady(place, true);
    expect(run.isNotReady(place)).toBe(false);
  });

  it("keeps what the program declares, except from the resource that it declares it as", () => {
    const run = new RunClaims();
    run.claim({ id: "d1", createdAt: null }, "new", "declares");
    expect(run.claimOn({ id: "d1", createdAt: null }, "old")?.resource).toBe("new");
    expect(run.claimOn({ id: "d1", createdAt: null }, "new")).toBeUndefined();
    run.claim({ id: "d1", createdAt: null }, "new", "has");
    run.claim({ id: "d1", createdAt: null }, "new", "declares");
    expect(run.claimOn({ id: "d1", createdAt: null }, "new")?.hold).toBe("has");
  });
});
