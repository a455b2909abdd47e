import { beforeEach, describe, expect, it } from "vitest";
import { VirtualClock, type Emulator, type JsonObject } from "../../emulator";
import { call, created, minimal, start } from "./support";

let emulator: Emulator;
let id: string;

const patch = (body: JsonObject) => call(emulator, "PATCH", `/v2/deployments/${id}`, body);

beforeEach(async () => {
  emulator = await start({ clock: new VirtualClock() });
  const deployment = await created(
    emulator,
    minimal("chat", {
      source_config: {
        repo_url: "https://code.example.com/acme/chat",
        build_command: "make",
        resource_spec: { cpu: 2, min_scale: 2, labels: { a: "1", b: "2" } },
        listener_config: { k8s_namespace: "chat" },
      },
      source_revision_config: { image_uri: "registry.example.com/chat:1", repo_ref: "main" },
      secrets: [
        { name: "A", value: "1" },
        { name: "B", value: "2" },
      ],
      secret_references: [{ name: "DB", secret_name: "db", secret_key: "url" }],
    }),
  );
  id = String(deployment["id"]);
});

describe("PATCH merges", () => {
  it("settings key by key, and null clears one", async () => {
    const { status, body } = await patch({ source_config: { build_on_push: true, build_command: null } });
    expect(status).toBe(200);
    expect(body["source_config"]).toMatchObject({
      build_on_push: true,
      build_command: null,
      repo_url: "https://code.example.com/acme/chat",
      resource_spec: { cpu: 2 },
    });
  });

  it("the resources and the listener not at all: they are stored whole", async () => {
    const { body } = await patch({ source_config: { resource_spec: { cpu: 4 }, listener_config: {} } });
    expect(body["source_config"]).toMatchObject({
      resource_spec: { cpu: 4, min_scale: 1, labels: null },
      listener_config: { k8s_namespace: null },
    });
  });

  it("secrets not at all: the list replaces all, an empty list or null clears", async () => {
    const replaced = await patch({ secrets: [{ name: "B", value: "3" }] });
    expect(replaced.body["secrets"]).toEqual([{ name: "B", value: "3" }]);
    expect((await patch({})).body["secrets"]).toEqual([{ name: "B", value: "3" }]);
    expect((await patch({ secrets: [] })).body["secrets"]).toEqual([]);
    await patch({ secrets: [{ name: "B", value: "3" }] });
    expect((await patch({ secrets: null })).body["secrets"]).toEqual([]);
  });

  it("secret references in the same way", async () => {
    expect((await patch({})).body["secret_references"]).toHaveLength(1);
    expect((await patch({ secret_references: [] })).body["secret_references"]).toEqual([]);
    expect((await patch({ secret_references: null })).body["secret_references"]).toBeNull();
  });
});

describe("a revision", () => {
  const latest = () => emulator.deployment(id)?.latest_revision_id;

  it.each<[string, JsonObject]>([
    ["nothing", {}],
    ["settings", { source_config: { build_on_push: true, resource_spec: { cpu: 3 } } }],
    ["secrets", { secrets: [] }],
    ["null as revision source", { revision_source: null }],
  ])("is not made by %s", async (_what, body) => {
    const before = latest();
    expect((await patch(body)).status).toBe(200);
    expect(latest()).toBe(before);
  });

  it.each<[string, JsonObject]>([
    ["a new value", { image_uri: "registry.example.com/chat:2" }],
    ["the same value", { image_uri: "registry.example.com/chat:1" }],
    ["null", { repo_ref: null }],
    ["an empty object", {}],
  ])("is made by %s in the revision's configuration", async (_what, config) => {
    const before = latest();
    const { body } = await patch({ source_revision_config: config });
    expect(body["latest_revision_id"]).not.toBe(before);
    expect(body["source_revision_config"]).toMatchObject({ graph_config_path: null, ...config });
    expect(emulator.deployment(id)?.revisions).toHaveLength(2);
  });

  it("takes over what the one before it had (C26)", async () => {
    await patch({ source_revision_config: { image_uri: "registry.example.com/chat:2" } });
    const { body } = await patch({ source_revision_config: { repo_ref: null } });
    expect(body["source_revision_config"]).toMatchObject({
      image_uri: "registry.example.com/chat:2",
      repo_ref: null,
    });
    expect(emulator.deployment(id)?.revisions.map((one) => one.source_revision_config["repo_ref"])).toEqual([
      "main",
      "main",
      undefined,
    ]);
  });

  it("may have another source, which only a new revision can have", async () => {
    expect(await patch({ revision_source: "codehost" })).toMatchObject({ status: 400 });
    const { body } = await patch({ revision_source: "codehost", source_revision_config: {} });
    expect(body["source"]).toBe("external_container");
    expect(body["source_revision_config"]).toMatchObject({
      repo_commit_sha: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
    });
    expect(emulator.deployment(id)?.revisions.at(-1)?.source).toBe("codehost");
  });
});

describe("time stamps", () => {
  it("of the update move with each PATCH, also when the clock stands still", async () => {
    const stamps = [emulator.deployment(id)?.updated_at];
    for (let count = 0; count < 2; count += 1) {
      const { body } = await patch({});
      stamps.push(String(body["updated_at"]));
      expect(body["created_at"]).toBe(emulator.deployment(id)?.created_at);
    }
    expect(new Set(stamps).size).toBe(3);
  });
});
