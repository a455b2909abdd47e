import { expect } from "vitest";
import { opened, remembering, type Values } from "../../../support/provider-process";
import type { Held } from "../../../support/adapters";
import { app, image, law, onlyDynamic, onlyPackaged, unknown, type Law } from "../law";

/** The state after a run that did not see the rollout end. */
function unfinished(held: Held): Held {
  const rollout = {
    revision: held.state["latestRevisionId"],
    previous: [],
    since: "2026-01-01T00:00:00.000Z",
  };
  return { ...held, state: remembering(held.state, { rollout }) };
}

const noKinds = "the dynamic protocol has no place for what becomes of a path";

export const comparing: readonly Law[] = [
  law(
    "finds no change where there is none, and says nothing of it; finds one where there is, and sends nothing (B09)",
    async ({ provider, service, up, compare }) => {
      const old = await up(app("chat"));
      provider.process.forget();
      expect(await compare(old, app("chat"))).toMatchObject({ isChanged: false, replaces: [] });
      expect(provider.process.messages).toEqual([]);
      expect(await compare(old, app("chat", image("2")))).toMatchObject({ isChanged: true, replaces: [] });
      expect(service.requestLines()).toEqual([]);
    },
  ),

  law(
    "does not let the replacement of another resource take a deployment along: only a check tells whether it changes too",
    async ({ up, nextRun, compare }) => {
      const old = await up(app("chat"));
      // The engine assumes that all outputs of what is replaced change, and asks what follows from that.
      const asked = { declared: app("chat"), inputs: { ...old.inputs, name: unknown }, failures: [] };
      expect((await (await nextRun()).diff(old, asked)).replaces).toEqual([]);
      expect((await compare(old, app("chat", { name: unknown }))).replaces).toEqual(["name"]);
    },
  ),

  onlyPackaged(
    noKinds,
    "does not let the replacement of another resource take a deployment along by the kind of a change either",
    async ({ provider, up }) => {
      const old = await up(app("chat"));
      const inputs = { ...old.inputs, name: unknown };
      const asked = await provider.plugin.diff("chat", old.id, old.state, old.inputs, inputs);
      expect(asked.details).toEqual({ name: "UPDATE" });
    },
  ),

  onlyDynamic(
    "the engine takes the packaged one at its word, path by path",
    "leaves the comparison of the inputs to the engine, so that its options and its display work",
    async ({ provider, up }) => {
      const old = await up(app("chat"));
      const changesWith = async (more: Values) => {
        const { inputs } = await provider.check(app("chat", more), old);
        const [state, news] = [opened(old.state), opened(inputs)];
        return (await provider.process.diff("chat", old.id, state, {}, news)).changes;
      };
      expect(await changesWith({})).toBe("unknown");
      expect(await changesWith(image("2"))).toBe("unknown");
      expect(await changesWith({ source: "internal_container" })).toBe("unknown");
    },
  ),

  law(
    "asks for an update that no input shows where only a rollout is left to be resumed",
    async ({ up, compare }) => {
      const old = await up(app("chat"));
      expect(await compare(unfinished(old), app("chat"))).toMatchObject({ isChanged: true, replaces: [] });
    },
  ),

  law("says in no refresh that a rollout which is not finished is a difference", async ({ provider, up }) => {
    const { declared, inputs, ...held } = await up(app("chat"));
    const old = unfinished({ declared, inputs, ...held });
    expect(await provider.diff(old, { declared, inputs, failures: [] })).toMatchObject({ isChanged: false });
  }),

  onlyDynamic(
    "the packaged provider has no options in its state",
    "finds in a refresh what differs on the service, and nothing else, whatever options the last run had",
    async ({ provider, service, up }) => {
      const old = await up(app("chat"));
      const options = { urn: provider.urn("moved"), retainOnDelete: true, ignoreChanges: [["triggers"]] };
      const later = { ...opened(old.inputs), __options: options };
      const look = async () => {
        const read = (await provider.read(old))!;
        return (await provider.process.diff("chat", old.id, opened(read.state), {}, later)).changes;
      };
      expect(await look()).toBe("none");
      service.change("chat", (record) => {
        record.source_revision_config = { image_uri: "registry.example.com/chat:hotfix" };
      });
      // The engine compares the inputs, and lists what differs.
      expect(await look()).toBe("unknown");
    },
  ),

  law(
    "says in one line next to the resource what an update does, once for each check, and nothing for a comparison that a refresh makes",
    async ({ provider, up, compare }) => {
      const old = await up(app("chat"));
      provider.process.forget();
      const checked = await compare(old, app("chat", image("2")));
      await provider.diff(old, checked);
      const text = "chat: creates a new revision (sourceRevisionConfig.imageUri)";
      const message = { severity: "info", text, urn: provider.urn("chat"), ephemeral: false };
      expect(provider.process.messages).toEqual([message]);
      await compare(old, app("chat", image("2")));
      expect(provider.process.messages).toEqual([message, message]);
    },
  ),

  onlyPackaged(
    noKinds,
    "names each change with its kind, and counts the revision that it makes",
    async ({ provider, up, compare }) => {
      const proxy = (tag: number) => [{ name: "proxy", image: `proxy:${tag}` }];
      const old = await up(
        app("chat", {
          sourceConfig: { buildOnPush: true, resourceSpec: { cpu: 1, sidecars: proxy(1) } },
          secrets: { A: "1", "b.c": "2" },
        }),
      );
      const now = {
        ...image("2"),
        sourceConfig: { resourceSpec: { cpu: 2, memoryMb: 512, sidecars: proxy(2) } },
        secrets: { A: "1", "b.c": "3" },
        revisionSource: "internal_container",
      };
      expect(await compare(old, app("chat", now))).toMatchObject({ changes: "some", replaces: [] });
      const { inputs } = await provider.check(app("chat", now), old);
      const { details } = await provider.plugin.diff("chat", old.id, old.state, old.inputs, inputs);
      expect(details).toEqual({
        generation: "UPDATE",
        revisionSource: "ADD",
        'secrets["b.c"]': "UPDATE",
        "sourceConfig.buildOnPush": "DELETE",
        "sourceConfig.resourceSpec.cpu": "UPDATE",
        "sourceConfig.resourceSpec.memoryMb": "ADD",
        "sourceConfig.resourceSpec.sidecars[0].image": "UPDATE",
        "sourceRevisionConfig.imageUri": "UPDATE",
      });
      expect(await compare(old, app("chat", { ...now, name: "renamed" }))).toMatchObject({
        details: { name: "UPDATE_REPLACE" },
      });
      expect(await compare(unfinished(old), old.declared)).toMatchObject({ details: {} });
    },
  ),

  onlyPackaged(
    "a dynamic provider is not asked in previews",
    "leaves the generation open exactly where an unknown value decides it",
    async ({ provider, up }) => {
      const old = await up(app("chat", { triggers: "1" }));
      const generationWith = async (more: Values) => {
        const { inputs } = await provider.check(app("chat", { triggers: "1", ...more }), old);
        const preview = { preview: true };
        const properties = await provider.plugin.update("chat", old.id, old.state, inputs, preview);
        expect(properties["generation"]).toBe(inputs["generation"]);
        return inputs["generation"];
      };
      expect(await generationWith({ triggers: unknown })).toBe(unknown);
      expect(await generationWith({ sourceConfig: { customUrl: unknown } })).toBe(1);
      expect(await generationWith({ triggers: unknown, ...image("2") })).toBe(2);
      const { inputs } = await provider.check(app("chat", { triggers: unknown }), old);
      const { details } = await provider.plugin.diff("chat", old.id, old.state, old.inputs, inputs);
      expect(details).toEqual({ generation: "UPDATE", triggers: "UPDATE" });
    },
  ),

  onlyPackaged(
    noKinds,
    "shows of a refresh what it has found, and no revision, since none is made by that",
    async ({ provider, service, up }) => {
      const old = await up(app("chat"));
      service.change("chat", (record) => {
        record.source_revision_config = { image_uri: "registry.example.com/chat:hotfix" };
      });
      const read = (await provider.read(old))!;
      // In a refresh, the engine swaps the two sides and runs no check.
      const found = await provider.plugin.diff("chat", old.id, read.state, read.inputs, old.inputs);
      expect(found).toMatchObject({
        changes: "some",
        details: { "sourceRevisionConfig.imageUri": "UPDATE" },
      });
      expect(Object.keys(found.details)).toHaveLength(1);
    },
  ),
];
