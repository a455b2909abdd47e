/** The packaged provider in the package as it is installed, over gRPC, on the ends of the range of SDKs. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startEmulator, type Emulator } from "../../emulator";
import { CallError, packageJsonIn, sdks, secret, type Values } from "../support/provider-process";
import { PluginProcess, urn } from "../support/plugin-process";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const quick = { rollout: { looks: 1 }, deletion: { looks: 1 }, secrets: "clear" } as const;
const image = (tag: string) => ({ imageUri: `registry.example.com/chat:${tag}` });

const declared = (more: Values = {}): Values => ({
  source: "external_container",
  sourceRevisionConfig: image("1"),
  ...more,
});

async function errorOf(call: Promise<unknown>): Promise<CallError> {
  const error = await call.then(
    () => new Error("it did not fail"),
    (reason: unknown) => reason,
  );
  if (error instanceof CallError) return error;
  throw error;
}

const root = resolve(__dirname, "../..");
const { version } = packageJsonIn(root);
const schema = JSON.parse(readFileSync(join(root, "plugin/schema.json"), "utf8")) as object;

it("is started by the SDK's runner, where an engine goes by PulumiPlugin.yaml", async () => {
  const plugin = await PluginProcess.start(sdks.at(-1)![1].name, { withRunner: true });
  try {
    expect(await plugin.version()).toBe(version);
  } finally {
    await plugin.stop();
  }
});

describe.each([sdks[0]!, sdks.at(-1)!])("the packaged provider, on %s", (_, { name: sdk }) => {
  let plugin: PluginProcess;
  let service: Emulator;
  const settings = () => ({ baseUrl: service.url, apiKey: secret(service.apiKey), pollInterval: "10ms" });

  beforeAll(async () => {
    service = await startEmulator({ idSeed: 1, ...quick });
    plugin = await PluginProcess.start(sdk);
  });
  beforeEach(() => {
    service.configure(quick);
    service.reset();
    plugin.engine.messages.length = 0;
  });
  afterAll(async () => {
    await plugin.stop();
    await service.close();
  });

  /** As an `up` of a new resource. */
  async function up(more: Values = {}) {
    const { inputs, failures } = await plugin.check("chat", declared(more));
    expect(failures).toEqual([]);
    const { id, properties } = await plugin.create("chat", inputs);
    service.clearRequests();
    return { id, inputs, state: properties };
  }

  describe("before it is configured", () => {
    it("says what it is and what it has", async () => {
      expect(await plugin.handshake()).toMatchObject({ acceptSecrets: true });
      expect(await plugin.version()).toBe(version);
      expect(await plugin.schema()).toEqual({ ...schema, version });
    });

    it("says that it does not have what it does not have", async () => {
      expect((await errorOf(plugin.mapping())).message).toMatch(/not implement/);
    });

    it("checks its settings all at once, and repeats none of their values", async () => {
      const { failures } = await plugin.checkConfig("eu", {
        baseUrl: "https://user:sesame@deployments.example.com",
        apiKey: "not for a header",
        maxConcurrency: "many",
        tenant: "sesame",
      });
      expect(failures.map(({ property }) => property)).toEqual(["", "", "", ""]);
      const reasons = failures.map(({ reason }) => reason).join("\n");
      for (const name of ["baseUrl", "apiKey", "maxConcurrency", "tenantId"]) expect(reasons).toContain(name);
      expect(reasons).not.toMatch(/sesame|not for a header/);
    });

    it("lets pass what is not known yet, and marks its key as a secret", async () => {
      const { inputs, failures } = await plugin.checkConfig("eu", { baseUrl: unknown, apiKey: "key" });
      expect(failures).toEqual([]);
      expect(inputs).toEqual({ baseUrl: unknown, apiKey: secret("key"), __name: "eu" });
    });

    it("stays what it is when its address changes", async () => {
      const at = (baseUrl: string) => ({ baseUrl, apiKey: "key", __name: "eu" });
      const [old, now] = [at("https://a.example.com"), at("https://b.example.com")];
      expect(await plugin.diffConfig("eu", old, now)).toMatchObject({
        changes: "some",
        details: { baseUrl: "UPDATE" },
        replaces: [],
      });
      expect(await plugin.diffConfig("eu", old, old)).toMatchObject({ changes: "none", details: {} });
    });
  });

  describe("once it is configured", () => {
    beforeAll(() => plugin.configure("default", settings()));

    it("replaces what comes from another provider, where that had another service or tenant", async () => {
      const now = settings();
      const eu = (more: Values) => ({ ...now, ...more, __name: "eu" });
      const same = await plugin.diffConfig("default", eu({}), now);
      expect(same.replaces).toEqual([]);
      const other = await plugin.diffConfig("default", eu({ baseUrl: "https://b.example.com" }), now);
      expect(other).toMatchObject({ replaces: ["baseUrl"], details: { baseUrl: "UPDATE_REPLACE" } });
      // The stack's own connection is refused, and not replaced, until it is known where the deployments are.
      const moved = await plugin.diffConfig("default", { ...now, baseUrl: "https://b.example.com" }, now);
      expect(moved).toMatchObject({ changes: "some", replaces: [] });
      const dynamic = Object.fromEntries(
        Object.entries(now).map(([name, value]) => [`deployment-service:${name}`, value]),
      );
      expect(await plugin.diffConfig("default", dynamic, now)).toMatchObject({
        changes: "none",
        replaces: [],
      });
    });

    it("gives the inputs back with name and generation, secrets marked and what is not known as it came", async () => {
      const given = declared({
        sourceConfig: { customUrl: secret("https://chat.example.com"), resourceSpec: { cpu: unknown } },
        secrets: { KEY: "sesame-opens" },
        secretReferences: unknown,
        triggers: [secret(unknown), null],
      });
      const { inputs, failures } = await plugin.check("chat", given);
      expect(failures).toEqual([]);
      expect(inputs).toEqual({
        ...given,
        name: "chat",
        generation: 1,
        secrets: secret({ KEY: "sesame-opens" }),
        triggers: secret([unknown, null]),
      });
      expect(service.requests()).toEqual([]);
    });

    it("names every failure at once, each with its path, and no property whose value may be secret", async () => {
      const { failures } = await plugin.check("chat", {
        source: "elsewhere",
        sourceConfig: { buildOnPush: "yes", resourceSpec: { cpu: -1, sidecars: [{ image: 7 }] } },
        secretz: { KEY: "sesame-opens" },
        triggers: secret("sesame-opens"),
      });
      expect(failures.map(({ property }) => property)).toEqual([
        "source",
        "sourceConfig.buildOnPush",
        "sourceConfig.resourceSpec.cpu",
        "sourceConfig.resourceSpec.sidecars[0].image",
        "",
      ]);
      expect(failures.at(-1)?.reason).toBe('secretz: unknown key "secretz"; did you mean "secrets"?');
    });

    it("refuses a resource of another type", async () => {
      const call = plugin.check("chat", declared(), {}, "deployment-service:index:Deploymint");
      expect((await errorOf(call)).message).toContain("deployment-service:index:Deploymint");
    });

    it("knows in the preview of a creation what is declared, and sends nothing", async () => {
      const { inputs } = await plugin.check("chat", declared({ secrets: { KEY: "sesame-opens" } }));
      const { id, properties } = await plugin.create("chat", inputs, { preview: true });
      expect(id).toBe("");
      expect(properties).toEqual({
        ...inputs,
        tenantId: unknown,
        status: unknown,
        createdAt: unknown,
        updatedAt: unknown,
        latestRevisionId: unknown,
        activeRevisionId: unknown,
        imageVersion: unknown,
        repoCommitSha: unknown,
        url: unknown,
      });
      expect(service.requests()).toEqual([]);
    });

    it("creates, and answers with all that was secret marked, its copies too", async () => {
      const { id, state } = await up({
        sourceConfig: { customUrl: secret("https://chat.example.com") },
        secrets: { KEY: "sesame-opens" },
      });
      expect(service.deployment("chat")).toMatchObject({ id });
      expect(state).toMatchObject({
        sourceConfig: { customUrl: secret("https://chat.example.com") },
        url: secret("https://chat.example.com"),
        secrets: secret({ KEY: "sesame-opens" }),
        __private: secret(expect.anything()),
        status: "READY",
        generation: 1,
      });
    });

    it("names each change with its kind, and counts the revision that it makes", async () => {
      const before = {
        sourceConfig: { buildOnPush: true, resourceSpec: { cpu: 1 } },
        secrets: { A: "1", "b.c": "2" },
      };
      const { id, inputs, state } = await up(before);
      const now = declared({
        sourceRevisionConfig: image("2"),
        sourceConfig: { resourceSpec: { cpu: 2, memoryMb: 512 } },
        secrets: { A: "1", "b.c": "3" },
        revisionSource: "internal_container",
      });
      const { inputs: news } = await plugin.check("chat", now, inputs);
      expect(await plugin.diff("chat", id, state, inputs, news)).toEqual({
        changes: "some",
        details: {
          generation: "UPDATE",
          revisionSource: "ADD",
          'secrets["b.c"]': "UPDATE",
          "sourceConfig.buildOnPush": "DELETE",
          "sourceConfig.resourceSpec.cpu": "UPDATE",
          "sourceConfig.resourceSpec.memoryMb": "ADD",
          "sourceRevisionConfig.imageUri": "UPDATE",
        },
        replaces: [],
        deleteBeforeReplace: true,
      });
      expect(plugin.engine.messages).toContainEqual({
        severity: "info",
        text: "chat: creates a new revision (sourceRevisionConfig.imageUri)",
        urn: urn("chat"),
        ephemeral: false,
      });
      const { inputs: renamed } = await plugin.check("chat", { ...now, name: "talk" }, inputs);
      expect(await plugin.diff("chat", id, state, inputs, renamed)).toMatchObject({
        details: { name: "UPDATE_REPLACE" },
        replaces: ["name"],
        deleteBeforeReplace: false,
      });
    });

    it("leaves the generation open exactly where an unknown value decides it", async () => {
      const { id, inputs, state } = await up({ triggers: "1" });
      const generationWith = async (more: Values) => {
        const { inputs: news } = await plugin.check("chat", declared({ triggers: "1", ...more }), inputs);
        const properties = await plugin.update("chat", id, state, news, { preview: true });
        expect(properties["generation"]).toBe(news["generation"]);
        return news["generation"];
      };
      expect(await generationWith({ triggers: unknown })).toBe(unknown);
      expect(await generationWith({ sourceConfig: { customUrl: unknown } })).toBe(1);
      expect(await generationWith({ triggers: unknown, sourceRevisionConfig: image("2") })).toBe(2);
      const { inputs: news } = await plugin.check("chat", declared({ triggers: unknown }), inputs);
      expect((await plugin.diff("chat", id, state, inputs, news)).details).toEqual({
        generation: "UPDATE",
        triggers: "UPDATE",
      });
    });

    it("knows in the preview of an update what cannot change, and all of it where nothing is sent", async () => {
      const { id, inputs, state } = await up();
      const previewWith = async (more: Values) => {
        const { inputs: news } = await plugin.check("chat", declared(more), inputs);
        return plugin.update("chat", id, state, news, { preview: true });
      };
      const { tenantId, createdAt, url } = state;
      expect(await previewWith({ sourceRevisionConfig: image("2") })).toMatchObject({
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
      const { __private: _, ...shown } = state;
      expect(await previewWith({ skipAwait: true })).toEqual({ ...shown, skipAwait: true });
      expect(service.requests()).toEqual([]);
    });

    it("finds drift, and gives the inputs that the program is compared with", async () => {
      const { id, inputs, state } = await up({ sourceConfig: { resourceSpec: { cpu: 1 } } });
      service.change("chat", (record) => {
        (record.source_config as { resource_spec: { cpu: number } }).resource_spec.cpu = 4;
      });
      const read = await plugin.read("chat", id, state, inputs);
      expect(read.inputs).toEqual({ ...inputs, sourceConfig: { resourceSpec: { cpu: 4 } } });
      expect(read.properties).toMatchObject({ sourceConfig: { resourceSpec: { cpu: 4 } } });
    });

    it("takes the state of the dynamic provider for its own", async () => {
      const { id, inputs, state } = await up();
      const hidden = {
        __provider: "exports.handler=…",
        __options: { urn: "urn:other", secretPaths: ["url"] },
      };
      const old = { ...state, ...hidden };
      const { inputs: news, failures } = await plugin.check("chat", declared(), { ...inputs, ...hidden });
      expect(failures).toEqual([]);
      expect(await plugin.diff("chat", id, old, { ...inputs, ...hidden }, news)).toMatchObject({
        changes: "none",
        details: {},
      });
      const read = await plugin.read("chat", id, old, { ...inputs, ...hidden });
      expect(
        Object.keys({ ...read.properties, ...read.inputs }).filter((name) => name.startsWith("__")),
      ).toEqual(["__private"]);
    });

    it("keeps a resource whose rollout did not end in its seconds, with what came of it", async () => {
      service.configure({ rollout: "never" });
      const { inputs } = await plugin.check("chat", declared({ secrets: { KEY: "sesame-opens" } }));
      const { message, partial } = await errorOf(plugin.create("chat", inputs, { timeout: 0.2 }));
      const { id, latest_revision_id: revision } = service.deployment("chat")!;
      expect(message).toMatch(/^chat: create failed: the rollout did not finish within 200ms: /);
      expect(partial).toMatchObject({ id, reasons: [message], properties: { latestRevisionId: revision } });

      const again = await plugin.diff("chat", id, partial!.properties, inputs, inputs);
      expect(again).toMatchObject({ changes: "some", details: {} });
      service.finish("chat");
      service.clearRequests();
      expect(await plugin.update("chat", id, partial!.properties, inputs)).toMatchObject({ status: "READY" });
      expect(service.requests().map(({ method }) => method)).not.toContain("PATCH");
    });

    it("says of a refused creation everything but secrets, and leaves no resource", async () => {
      const how = { status: 422, body: { detail: "image sesame-opens is not allowed" } };
      service.fail({ when: { method: "POST" }, how });
      const { inputs } = await plugin.check("chat", declared({ secrets: { KEY: "sesame-opens" } }));
      const { message, partial } = await errorOf(plugin.create("chat", inputs));
      expect(partial).toBeUndefined();
      expect(message).toMatch(/^chat: create failed: .*422.*is not allowed/);
      expect(message).not.toContain("sesame-opens");
    });

    it("imports by the id, and says where there is none", async () => {
      const { id } = service.create({
        name: "chat",
        source: "external_container",
        source_config: { build_on_push: null, resource_spec: { cpu: 4 } },
        source_revision_config: { image_uri: "registry.example.com/chat:1" },
        secrets: [{ name: "KEY", value: "sesame-opens" }],
      });
      const { inputs, properties } = await plugin.read("chat", id);
      expect(inputs).toEqual({
        ...declared({ sourceConfig: { resourceSpec: { cpu: 4 } } }),
        name: "chat",
        generation: 1,
      });
      expect(JSON.stringify(properties)).not.toContain("sesame-opens");
      const other = "6f0e6c1a-0000-4000-8000-000000000000";
      expect((await errorOf(plugin.read("chat", other))).message).toContain(
        `no deployment with the id ${other}`,
      );
    });

    it("answers look-ups, with their secrets marked, and says what was wrong with the question", async () => {
      await up({ secrets: { KEY: "sesame-opens" } });
      const found = await plugin.invoke("getDeployment", { name: "chat", id: null });
      expect(found).toMatchObject({ name: "chat", secrets: secret({ KEY: "sesame-opens" }) });
      const { deployments } = await plugin.invoke("listDeployments", { status: "READY" });
      expect(deployments).toEqual([found]);
      expect((await errorOf(plugin.invoke("listDeployments", { statu: 1 }))).message).toBe(
        'listDeployments: statu: unknown key "statu"; did you mean "status"?.',
      );
      expect((await errorOf(plugin.invoke("getDeploymint", {}))).message).toContain("getDeploymint");
    });

    it("deletes, and a deletion that does not end fails after its seconds", async () => {
      const { id, state } = await up();
      await plugin.delete("chat", id, state);
      expect(service.deployments()).toEqual([]);
      service.configure({ deletion: "never" });
      const other = await up();
      const { message } = await errorOf(plugin.delete("chat", other.id, other.state, { timeout: 0.2 }));
      expect(message).toMatch(/^chat: delete failed: the deployment was not deleted within 200ms\. /);
    });

    it("prints nothing beside its port", () => {
      expect(plugin.output).toMatch(/^(\d+\n)?$/);
    });
  });

  describe("at the end", () => {
    it("ends its waits at the first Ctrl-C, with all that is known", async () => {
      service.configure({ rollout: "never" });
      const { inputs } = await plugin.check("chat", declared());
      const creating = errorOf(plugin.create("chat", inputs));
      await expect.poll(() => service.requests().length).toBeGreaterThan(1);
      await plugin.cancel();
      const { message, partial } = await creating;
      expect(message).toContain("interrupted");
      expect(partial).toMatchObject({ id: service.deployment("chat")?.id });
    });

    it("ends with its engine, which tells nobody when it is killed", async () => {
      const ended = once(plugin.child, "exit");
      plugin.engine.stop();
      await ended;
    });
  });
});
