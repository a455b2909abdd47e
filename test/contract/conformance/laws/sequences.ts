/** Several runs in sequence, with events between them. */
import { expect } from "vitest";
import { remembering } from "../../../support/provider-process";
import { app, failureOf, image, law, onlyPackaged, type Law } from "../law";

const noImport = "the engine imports no dynamic resource";

export const running: readonly Law[] = [
  law(
    "does not delete under its old name what it failed to create under a new one",
    async ({ service, up, nextRun }) => {
      const old = await up(app("old", { name: "kept" }));
      const next = await nextRun();
      const refused = await failureOf(next.create(await next.check(app("new", { name: "kept" }))));
      expect(refused.message).toContain("`aliases` if the resource was renamed");
      expect((await failureOf(next.delete(old))).message).toContain(
        'not deleted: "new" failed to adopt or replace the deployment',
      );
      expect(service.deployment("kept")).toMatchObject({ id: old.id });
    },
  ),

  law(
    "deletes what it has compared as unchanged, if an option of the resource then replaces it",
    async ({ service, up, nextRun }) => {
      const old = await up(app("chat"));
      const next = await nextRun();
      await next.diff(old, await next.check(app("chat", image("2")), old));
      // The engine replaces it anyway, and first checks a new resource.
      const anew = await next.check(app("chat", image("2")));
      expect(next.messages.at(-1)!.text).toMatch(
        /^chat: creates a new deployment that keeps nothing of the old/,
      );
      await next.delete(old);
      const made = await next.create(anew);
      expect(made.id).not.toBe(old.id);
      expect(service.deployments().map(({ id }) => id)).toEqual([made.id]);
    },
  ),

  law("refuses a state that a newer version wrote, or that is damaged", async ({ provider, up }) => {
    const old = await up(app("chat"));
    const checked = await provider.check(app("chat"), old);
    const later = { ...old, state: remembering(old.state, { version: 2 }) };
    for (const call of [provider.diff(later, checked), provider.read(later), provider.delete(later)]) {
      expect((await failureOf(call)).message).toContain("was written by a newer pulumi-deployment-service");
    }
    const damaged = { ...old, state: remembering(old.state, { shown: 7 }) };
    expect((await failureOf(provider.diff(damaged, checked))).message).toContain(
      "the state of this deployment cannot be read: __private.shown expected an object, got a number",
    );
  }),

  onlyPackaged(
    noImport,
    "changes what was imported by what the program declares, and loses nothing of the rest",
    async ({ provider, service, compare }) => {
      const { id } = service.create({
        name: "chat",
        source: "external_container",
        source_config: { resource_spec: { cpu: 4, memory_mb: 2048 } },
        source_revision_config: { image_uri: "registry.example.com/chat:1" },
        secrets: [{ name: "KEY", value: "sesame-0pens" }],
      });
      const { inputs, properties } = await provider.plugin.read("chat", id);
      const imported = { declared: app("chat"), id, inputs, state: properties };
      const now = await compare(imported, app("chat", { sourceConfig: { resourceSpec: { cpu: 8 } } }));
      expect(now).toMatchObject({ isChanged: true, details: { "sourceConfig.resourceSpec.cpu": "UPDATE" } });
      const held = await provider.update(imported, now);
      expect(service.deployment("chat")).toMatchObject({
        id,
        source_config: { resource_spec: { cpu: 8 } },
        secrets: [{ name: "KEY", value: "sesame-0pens" }],
      });
      expect(await compare(held, now.declared)).toMatchObject({ isChanged: false });
    },
  ),
];
