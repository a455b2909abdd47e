import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../emulator";
import { call, created, list, minimal, start } from "./support";

const integration = "11111111-1111-4111-8111-111111111111";

describe("POST /v2/deployments", () => {
  it.each([
    [
      "codehost",
      { integration_id: integration, repo_url: "https://code.example.com/acme/chat", deployment_type: "dev" },
      { repo_ref: "main", graph_config_path: "graph.json" },
    ],
    ["external_container", { resource_spec: {} }, { image_uri: "registry.example.com/chat:1" }],
    ["internal_container", {}, {}],
    ["internal_source", { install_command: "npm ci" }, { graph_config_path: "graph.json" }],
    ["internal_template", {}, {}],
  ])("creates from %s and answers with what was given", async (source, config, revisionConfig) => {
    const emulator = await start();
    const body = { name: "chat", source, source_config: config, source_revision_config: revisionConfig };
    const reply = await call(emulator, "POST", "/v2/deployments", { ...body, secrets: [] });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({ ...body, secrets: [], secret_references: null });
  });

  it("answers with every field of the specification, absent ones as null, and fills in defaults", async () => {
    const clock = new VirtualClock("2030-01-01T00:00:00.000Z");
    const emulator = await start({ clock });
    const response = await created(emulator);
    expect(response).toMatchObject({
      name: "chat",
      status: "AWAITING_DATABASE",
      created_at: "2030-01-01T00:00:00.000Z",
      updated_at: "2030-01-01T00:00:00.000Z",
      active_revision_id: null,
      secret_references: null,
      image_version: "1.0.0",
      source_config: {
        integration_id: null,
        repo_url: null,
        build_on_push: false,
        custom_url: null,
        listener_id: null,
        listener_config: null,
        install_command: null,
        build_command: null,
        deployment_type: "prod",
      },
      source_revision_config: {
        repo_ref: null,
        graph_config_path: null,
        image_uri: "registry.example.com/chat:1",
        source_tarball_path: null,
        repo_commit_sha: null,
      },
    });
    const spec = (response["source_config"] as Record<string, Record<string, unknown>>)["resource_spec"];
    expect(spec).toMatchObject({ min_scale: 1, max_scale: 1, cpu: 1, memory_mb: 2048, labels: null });
    expect(Object.keys(spec ?? {})).toHaveLength(32 + 8);
    for (const id of ["id", "tenant_id", "latest_revision_id"])
      expect(response[id]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it("gives a commit to each revision that comes from a code host, and to no other", async () => {
    const emulator = await start();
    await created(
      emulator,
      minimal("a", { source: "codehost", source_revision_config: { repo_ref: "main" } }),
    );
    const { id } = await created(emulator, minimal("b"));
    expect(emulator.deployment("a")?.source_revision_config["repo_commit_sha"]).toMatch(/^[0-9a-f]{40}$/);
    expect(emulator.deployment(String(id))?.source_revision_config).not.toHaveProperty("repo_commit_sha");
  });

  it("keeps free-form objects as they are, whatever their keys", async () => {
    const emulator = await start();
    const resource_spec = JSON.parse(`{
      "labels": {"__proto__": "x", "constructor": "y", "camelCase": "z", "n": 1, "deep": {"snake_case": [null]}},
      "volumes": [{"name": "v", "configMap": {"defaultMode": 420}, "emptyDir": {}}],
      "sidecars": [{"name": "s", "env": [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "p"}}}]}]
    }`) as Record<string, unknown>;
    await created(emulator, minimal("chat", { source_config: { resource_spec } as never }));
    const response = await fetch(`${emulator.url}/v2/deployments`, {
      headers: { "X-Api-Key": emulator.apiKey },
    });
    const text = await response.text();
    for (const member of ["labels", "volumes", "sidecars"])
      expect(text).toContain(`"${member}":${JSON.stringify(resource_spec[member])}`);
  });

  it("generates an address when the first rollout is done, unless one was given", async () => {
    const emulator = await start({ rollout: { polls: 0 } });
    const generated = await created(emulator, minimal("My chat"));
    const given = await created(
      emulator,
      minimal("b", { source_config: { custom_url: "https://b.example.com" } }),
    );
    expect(generated["source_config"]).toMatchObject({
      custom_url: expect.stringMatching(/^https:\/\/my-chat-[0-9a-f]{8}\.apps\.example\.com$/) as string,
    });
    expect(given["source_config"]).toMatchObject({ custom_url: "https://b.example.com" });
  });

  it("refuses a name that is taken, also while its owner is still being deleted", async () => {
    const emulator = await start({ deletion: "never" });
    const { id } = await created(emulator);
    const again = () => call(emulator, "POST", "/v2/deployments", minimal());
    expect(await again()).toMatchObject({
      status: 409,
      body: { detail: "A deployment named 'chat' already exists." },
    });
    await call(emulator, "DELETE", `/v2/deployments/${String(id)}`);
    expect((await again()).status).toBe(409);
    emulator.remove("chat");
    expect((await again()).status).toBe(201);
  });

  it("answers secrets in the way that was chosen", async () => {
    const emulator = await start();
    await created(emulator, minimal("chat", { secrets: [{ name: "KEY", value: "v" }] }));
    const shown = {
      clear: [{ name: "KEY", value: "v" }],
      masked: [{ name: "KEY", value: "***" }],
      null: [{ name: "KEY", value: null }],
      omitted: [{ name: "KEY" }],
      empty: [],
    };
    for (const [secrets, expected] of Object.entries(shown)) {
      emulator.configure({ secrets: secrets as keyof typeof shown });
      expect((await list(emulator))[0]?.["secrets"]).toEqual(expected);
    }
  });

  it("makes the same ids again for the same seed, also after a reset", async () => {
    const first = await start({ idSeed: 7 });
    const second = await start({ idSeed: 7 });
    const { id } = await created(first);
    expect((await created(second))["id"]).toBe(id);
    first.reset();
    expect((await created(first))["id"]).toBe(id);
  });
});
