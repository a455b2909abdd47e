import { beforeEach, describe, expect, it } from "vitest";
import { VirtualClock, type Emulator, type JsonObject } from "../../emulator";
import { call, created, minimal, start } from "./support";

let emulator: Emulator;
let id: string;

const patch = (body: JsonObject) => call(emulator, "PATCH", `/v2/deployments/${id}`, body);

beforeEach(async () => {
  emulator = await start({ clock: new VirtualClock() });
  const body = minimal("chat", {
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
  });
  id = String((await created(emulator, body))["id"]);
});

it("a PATCH merges settings key by key, and replaces as a whole the resources, the listener and the secrets; null clears", async () => {
  const before = emulator.deployment(id)!.source_config;
  const cleared = await patch({ source_config: { build_on_push: true, build_command: null } });
  expect(cleared.body["source_config"]).toMatchObject({
    ...{ build_on_push: true, build_command: null, repo_url: before["repo_url"] },
    resource_spec: { cpu: 2 },
  });
  const replaced = await patch({ source_config: { resource_spec: { cpu: 4 }, listener_config: {} } });
  expect(replaced.body["source_config"]).toMatchObject({
    resource_spec: { cpu: 4, min_scale: 1, labels: null },
    listener_config: { k8s_namespace: null },
  });
  const one = [{ name: "B", value: "3" }];
  expect((await patch({ secrets: one })).body).toMatchObject({ secrets: one });
  expect((await patch({ secrets: null })).body).toMatchObject({ secrets: [] });
});

describe("a revision", () => {
  it.each<[string, JsonObject]>([
    ["nothing", {}],
    ["settings", { source_config: { build_on_push: true, resource_spec: { cpu: 3 } } }],
    ["secrets", { secrets: [] }],
    ["null as revision source", { revision_source: null }],
  ])("is not created by %s", async (_what, body) => {
    expect((await patch(body)).status).toBe(200);
    expect(emulator.deployment(id)?.revisions).toHaveLength(1);
  });

  it.each<[string, JsonObject]>([
    ["a new value", { image_uri: "registry.example.com/chat:2" }],
    ["the same value", { image_uri: "registry.example.com/chat:1" }],
    ["null", { repo_ref: null }],
    ["an empty object", {}],
  ])("is created by %s in the revision's configuration", async (_what, config) => {
    const { body } = await patch({ source_revision_config: config });
    expect(body["source_revision_config"]).toMatchObject({ graph_config_path: null, ...config });
    const { revisions, latest_revision_id } = emulator.deployment(id)!;
    expect(revisions).toHaveLength(2);
    expect(body["latest_revision_id"]).toBe(latest_revision_id);
  });

  it("keeps what its predecessor had (C26)", async () => {
    await patch({ source_revision_config: { image_uri: "registry.example.com/chat:2" } });
    const { body } = await patch({ source_revision_config: { repo_ref: null } });
    const image_uri = "registry.example.com/chat:2";
    expect(body["source_revision_config"]).toMatchObject({ image_uri, repo_ref: null });
    const refs = emulator.deployment(id)?.revisions.map((one) => one.source_revision_config["repo_ref"]);
    expect(refs).toEqual(["main", "main", undefined]);
  });

  it("can have its own source; without a new revision that is refused", async () => {
    expect(await patch({ revision_source: "codehost" })).toMatchObject({ status: 400 });
    const repo_commit_sha = expect.stringMatching(/^[0-9a-f]{40}$/) as string;
    const { body } = await patch({ revision_source: "codehost", source_revision_config: {} });
    expect(body).toMatchObject({ source: "external_container", source_revision_config: { repo_commit_sha } });
    expect(emulator.deployment(id)?.revisions.at(-1)?.source).toBe("codehost");
  });
});
