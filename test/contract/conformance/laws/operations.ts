import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { DynamicProvider, shown } from "../../../support/adapters";
import {
  installed,
  opened,
  packageJsonIn,
  packageName,
  providerText,
  newest,
  secret,
  type Values,
} from "../../../support/provider-process";
import { app, failureOf, image, law, onlyDynamic, onlyPackaged, unknown, type Law } from "../law";

const root = resolve(__dirname, "../../../..");
const asked = "a dynamic provider is not asked in previews";

const loading: readonly Law[] = [
  law("loads the package with the SDK of the project, and no other", async ({ provider, sdk }) => {
    const fromPackage = createRequire(
      join(provider.process.project.folder, "node_modules", packageName, "package.json"),
    );
    const used = fromPackage.resolve("@pulumi/pulumi/package.json");
    expect(used).toBe(join(realpathSync(installed(sdk)), "package.json"));
    const { version } = packageJsonIn(provider instanceof DynamicProvider ? installed(sdk) : root);
    expect((await provider.process.version()).replace(/^v/, "")).toBe(version);
  }),
];

const creating: readonly Law[] = [
  law(
    "creates by one POST, and gives what is declared and what the service made of it (A03)",
    async ({ provider, service, compare }) => {
      const checked = await provider.check(app("chat"));
      const held = await provider.create(checked);
      const { id, state } = held;
      expect(service.requests().filter(({ method }) => method !== "GET")).toHaveLength(1);
      expect(service.deployment("chat")).toMatchObject({ id, status: "READY" });
      expect(state).toMatchObject({
        ...checked.inputs,
        status: "READY",
        latestRevisionId: service.deployment("chat")?.latest_revision_id,
        repoCommitSha: null,
        generation: 1,
      });
      expect(await compare(held, app("chat"))).toMatchObject({ isChanged: false });
    },
  ),

  law("marks what must be secret, whatever the program passed, its copies too (G19)", async ({ up }) => {
    const { state } = await up(
      app("chat", {
        secrets: { MODEL_API_KEY: "sesame-0pens" },
        sourceConfig: { customUrl: secret("https://chat.example.com") },
      }),
    );
    expect(state).toMatchObject({
      secrets: secret({ MODEL_API_KEY: "sesame-0pens" }),
      sourceConfig: { customUrl: secret("https://chat.example.com") },
      url: secret("https://chat.example.com"),
      __private: secret(expect.stringContaining('"version":1')),
    });
  }),

  onlyDynamic(
    "the engine finds a packaged provider by its name",
    "keeps in the state what loads the provider, of a creation that failed too",
    async ({ provider, service, up }) => {
      const held = await up(app("chat"));
      expect(held.state["__provider"]).toBe(providerText);
      service.configure({ rollout: "never" });
      const impatient = await provider.check(app("search", {}, { create: "600ms" }));
      const { held: failed } = await failureOf(provider.create(impatient));
      expect(failed?.state["__provider"]).toBe(providerText);
    },
  ),

  law(
    "shows next to the resource what it waits for, and keeps none of it (J13)",
    async ({ provider, service, up }) => {
      service.configure({ rollout: { afterMs: 1800 } });
      await up(app("chat"));
      expect(provider.process.messages.map(({ text }) => text)).toEqual([
        expect.stringMatching(
          /^awaits database \S+ of 30m: waiting for revision \S+ to become active \(status AWAITING_DATABASE\)$/,
        ),
        expect.stringMatching(/^active after \S+: revision \S+$/),
      ]);
      for (const message of provider.process.messages) {
        expect(message).toMatchObject({ severity: "info", urn: provider.urn("chat"), ephemeral: true });
      }
    },
  ),
];

const reading: readonly Law[] = [
  law("reads the state and the inputs as the service has them (E10)", async ({ provider, service, up }) => {
    const customUrl = "https://chat.example.com";
    const sourceConfig = { buildOnPush: true, customUrl, resourceSpec: { cpu: 1 } };
    const old = await up(app("chat", { sourceConfig }));
    service.change("chat", (record) => {
      Object.assign(record.source_config, { build_on_push: false, custom_url: "https://talk.example.com" });
      (record.source_config as { resource_spec: { cpu: number } }).resource_spec.cpu = 4;
    });
    const url = "https://talk.example.com";
    const drifted = { sourceConfig: { buildOnPush: false, customUrl: url, resourceSpec: { cpu: 4 } } };
    const read = await provider.read(old);
    expect(read?.id).toBe(old.id);
    expect(read?.inputs).toEqual({ ...old.inputs, ...drifted });
    expect(read?.state).toMatchObject({ ...old.inputs, ...drifted, url, status: "READY" });
  }),

  law("reads nothing where the deployment was deleted (E01)", async ({ provider, service, up }) => {
    const old = await up(app("chat"));
    service.remove("chat");
    expect(await provider.read(old)).toBeUndefined();
  }),
];

const updating: readonly Law[] = [
  law("sends what changed, and gives everything back", async ({ provider, service, up }) => {
    const secrets = { KEY: "sesame-0pens" };
    const old = await up(app("chat", { secrets }));
    const checked = await provider.check(app("chat", { secrets, ...image("2") }), old);
    const { state } = await provider.update(old, checked);
    expect(service.requests()[1]).toMatchObject({
      method: "PATCH",
      body: { source_revision_config: { image_uri: "registry.example.com/chat:2" } },
    });
    expect(Object.keys(state).sort()).toEqual(Object.keys(old.state).sort());
    expect(state).toMatchObject({ ...checked.inputs, secrets: secret(secrets), generation: 2 });
  }),

  law(
    "changes settings by one PATCH, without a revision or a wait (B01)",
    async ({ provider, service, up }) => {
      const old = await up(app("chat"));
      const settings = app("chat", { sourceConfig: { buildOnPush: true, resourceSpec: { cpu: 2 } } });
      await provider.update(old, await provider.check(settings, old));
      expect(service.requests().map(({ method }) => method)).toEqual(["GET", "PATCH"]);
      expect(service.deployment("chat")?.revisions).toHaveLength(1);
    },
  ),

  law(
    "removes again what a program declared of an adopted deployment as it was",
    async ({ provider, service, up }) => {
      const customUrl = "https://chat.example.com";
      await up(app("chat", { sourceConfig: { customUrl } }));
      const adopting = app("chat", { adopt: true });
      const adopted = await provider.create(await provider.check(adopting));
      const same = await provider.check(app("chat", { adopt: true, sourceConfig: { customUrl } }), adopted);
      const { isChanged } = await provider.diff(adopted, same);
      const { declared, inputs } = same;
      // The engine records the inputs of unchanged resources.
      const kept = isChanged ? await provider.update(adopted, same) : { ...adopted, declared, inputs };
      service.clearRequests();
      const without = await provider.check(adopting, kept);
      expect((await provider.diff(kept, without)).isChanged).toBe(true);
      await provider.update(kept, without);
      expect(service.requests()[1]).toMatchObject({
        method: "PATCH",
        body: { source_config: { custom_url: null } },
      });
    },
  ),

  law("sends nothing where only `adopt` changed, and remembers it", async ({ provider, service, up }) => {
    const old = await up(app("chat"));
    const { state } = await provider.update(old, await provider.check(app("chat", { adopt: true }), old));
    expect(service.requestLines()).toEqual([]);
    expect(shown(state)).toEqual({ ...shown(old.state), adopt: true });
  }),

  onlyDynamic(
    "the engine passes its time limit to the packaged provider with each call",
    "remembers time limits that alone changed, and sends nothing",
    async ({ provider, service, up }) => {
      const old = await up(app("chat"));
      const checked = await provider.check(app("chat", {}, { delete: "20m" }), old);
      const { state } = await provider.update(old, checked);
      expect(service.requestLines()).toEqual([]);
      expect(state["__options"]).toMatchObject({ timeouts: { delete: "20m" } });
    },
  ),

  onlyPackaged(
    asked,
    "previews an update with all outputs that cannot change, or with every output if nothing is sent",
    async ({ provider, service, up }) => {
      const old = await up(app("chat"));
      const previewWith = async (more: Values) => {
        const { inputs } = await provider.check(app("chat", more), old);
        return provider.plugin.update("chat", old.id, old.state, inputs, { preview: true });
      };
      const { tenantId, createdAt, url } = old.state;
      expect(await previewWith(image("2"))).toMatchObject({
        ...{ tenantId, createdAt, url, generation: 2, name: "chat" },
        ...{ status: unknown, latestRevisionId: unknown, updatedAt: unknown },
      });
      const elsewhere = { sourceConfig: { customUrl: "https://talk.example.com" } };
      expect(await previewWith(elsewhere)).toMatchObject({
        tenantId,
        createdAt,
        url: unknown,
        generation: 1,
      });
      const { __private: _, __madeWith: __, ...known } = old.state;
      expect(shown(await previewWith({ skipAwait: true }))).toEqual({ ...shown(known), skipAwait: true });
      expect(service.requests()).toEqual([]);
    },
  ),
];

export const operating: readonly Law[] = [
  ...loading,
  ...creating,
  ...reading,
  ...updating,

  law("deletes, and waits until the deployment is deleted", async ({ provider, service, up }) => {
    const old = await up(app("chat"));
    await provider.delete(old);
    expect(service.deployments()).toEqual([]);
  }),

  law("deletes what the program also reads as a resource of another name", async (world) => {
    const { provider, service, sdk, up, nextRun } = world;
    // Older SDKs look for the provider in the state, and there is none.
    if (provider instanceof DynamicProvider && sdk !== newest) return;
    const old = await up(app("chat"));
    const inputs = { __options: { urn: provider.urn("reader") }, __provider: providerText };
    const reads = provider instanceof DynamicProvider ? inputs : {};
    const next = await nextRun();
    expect(await next.process.read("reader", old.id, {}, reads)).toMatchObject({ id: old.id });
    await next.delete(old);
    expect(service.deployments()).toEqual([]);
  }),

  law("is content where there is nothing to delete (I02)", async ({ provider, service, up }) => {
    const old = await up(app("chat"));
    service.remove("chat");
    await expect(provider.delete(old)).resolves.toBeUndefined();
  }),

  law("prints nothing as long as nothing fails", async ({ provider, up, compare }) => {
    const old = await up(app("chat"));
    const checked = await compare(old, app("chat"));
    await provider.read(old);
    await provider.update(old, checked);
    await provider.delete(old);
    expect(provider.process.output).toBe("");
  }),

  onlyDynamic(
    "the packaged one is asked through the same call as for an import",
    "reads a deployment that the program does not manage, of which it has inputs only",
    async ({ provider, service, sdk }) => {
      // Older SDKs look for the provider in the state, and there is none.
      if (sdk !== newest) return;
      const { id } = service.create({
        name: "chat",
        source: "external_container",
        source_config: {},
        source_revision_config: { image_uri: "registry.example.com/chat:1" },
        secrets: [{ name: "KEY", value: "sesame-0pens" }],
      });
      const inputs = { __options: { urn: provider.urn("chat") }, __provider: providerText };
      const { properties } = await provider.process.read("chat", id, undefined, inputs);
      expect(opened(properties)).toMatchObject({
        name: "chat",
        sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
        secrets: { KEY: "sesame-0pens" },
        status: "READY",
        __provider: providerText,
      });
      expect(properties["secrets"]).toEqual(secret({ KEY: secret("sesame-0pens") }));
    },
  ),
];
