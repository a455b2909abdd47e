import { expect, it } from "vitest";
import { declared, urn, type Served, type Values } from "../../support/provider-process";

const image = (tag: string) => ({ sourceRevisionConfig: { imageUri: `registry.example.com/chat:${tag}` } });

export function comparing(served: Served): void {
  /** As the engine does for a resource of the program: check, then diff. */
  async function compare(old: { id: string; inputs: Values; state: Values }, more: Values) {
    const { inputs } = await served.process.check(declared("chat", more), old.inputs);
    return { inputs, ...(await served.process.diff(old.id, old.state, inputs)) };
  }

  it("leaves the comparison of the inputs to the engine, so that its options and its display work", async () => {
    const old = await served.up("chat");
    expect(await compare(old, {})).toMatchObject({ changes: "unknown", replaces: [] });
    expect(await compare(old, image("2"))).toMatchObject({ changes: "unknown", replaces: [] });
  });

  it("names what replaces the deployment", async () => {
    const old = await served.up("chat");
    expect(await compare(old, { source: "internal_container" })).toMatchObject({
      changes: "unknown",
      replaces: ["source"],
    });
  });

  it("deletes before replacing as long as the name stays, whatever the reason for a replacement", async () => {
    const old = await served.up("chat");
    expect(await compare(old, {})).toMatchObject({ deleteBeforeReplace: true });
    expect(await compare(old, { source: "internal_container" })).toMatchObject({ deleteBeforeReplace: true });
    expect(await compare(old, { name: "talk" })).toMatchObject({
      replaces: ["name"],
      deleteBeforeReplace: false,
    });
  });

  it("counts the revisions: one more exactly when the update makes one", async () => {
    const old = await served.up("chat");
    expect((await compare(old, image("2"))).inputs).toMatchObject({ generation: 2 });
    expect((await compare(old, { triggers: "again" })).inputs).toMatchObject({ generation: 2 });
    const settings = { sourceConfig: { resourceSpec: { maxScale: 2 } } };
    expect((await compare(old, settings)).inputs).toMatchObject({ generation: 1 });
  });

  it("asks for an update that no input shows when only a rollout is left to be resumed", async () => {
    const { id, inputs, state } = await served.up("chat");
    const memory = state["__private"] as Values;
    const rollout = { revision: state["latestRevisionId"], previous: [], since: "2026-01-01T00:00:00.000Z" };
    const unfinished = { id, inputs, state: { ...state, __private: { ...memory, rollout } } };
    expect(await compare(unfinished, {})).toMatchObject({ changes: "some", replaces: [] });
    expect(await compare(unfinished, { skipAwait: true })).toMatchObject({ changes: "unknown" });
  });

  it.each([
    ["a revision", image("2"), "chat: creates a new revision (sourceRevisionConfig.imageUri)"],
    [
      "settings",
      { sourceConfig: { buildOnPush: true } },
      "chat: updates settings, no new revision (sourceConfig.buildOnPush)",
    ],
    ["a replacement", { source: "internal_container" }, "chat: replaces the deployment (source)"],
  ])("says in one line beside the resource that it makes %s", async (_, more, text) => {
    const old = await served.up("chat");
    served.process.forget();
    await compare(old, more);
    expect(served.process.messages).toEqual([{ severity: "info", text, urn: urn("chat"), ephemeral: false }]);
  });

  it("says it once for each check, and not for a comparison that a refresh makes", async () => {
    const old = await served.up("chat");
    served.process.forget();
    const { inputs } = await compare(old, image("2"));
    await served.process.diff(old.id, old.state, inputs);
    expect(served.process.messages).toHaveLength(1);
    await compare(old, image("2"));
    expect(served.process.messages).toHaveLength(2);
  });

  it("says nothing when nothing is to be done", async () => {
    const old = await served.up("chat");
    served.process.forget();
    await compare(old, {});
    expect(served.process.messages).toEqual([]);
  });

  it("sends nothing", async () => {
    const old = await served.up("chat");
    served.service.clearRequests();
    await compare(old, image("2"));
    expect(served.service.requestLines()).toEqual([]);
  });
}
