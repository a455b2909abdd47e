import { describe, expect, it } from "vitest";
import { RunClaims } from "../../../provider/deployment/claims";

const chat = { id: "6F0E6C1A-0000-4000-8000-000000000001", createdAt: "2030-01-01T00:00:00Z" };

describe("what a run keeps", () => {
  it("is recognized by the id in either letter case", () => {
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

  it("ends for a resource that the engine replaces after all, and for no other", () => {
    const run = new RunClaims();
    run.claim(chat, "a", "keeps");
    run.release("a");
    expect(run.claimOn(chat)).toBeUndefined();
    run.claim(chat, "b", "keeps");
    run.release("a");
    expect(run.claimOn(chat)).toMatchObject({ resource: "b" });
  });
});
