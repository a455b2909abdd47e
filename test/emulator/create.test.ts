import { describe, expect, it } from "vitest";
import { VirtualClock, type JsonObject, type ShownSecrets } from "../../emulator";
import { call, created, minimal, post, readOne, start } from "./support";

const specOf = (response: JsonObject | undefined) =>
  (response?.["source_config"] as JsonObject | undefined)?.["resource_spec"] as JsonObject;

describe("POST /v2/deployments", () => {
  it("answers with every field of the specification: null, or a default, if it was not given", async () => {
    const response = await created(await start({ clock: new VirtualClock() }));
    const nulls = (...keys: string[]) => Object.fromEntries(keys.map((key) => [key, null]));
    expect(response).toMatchObject({
      ...{ name: "chat", status: "AWAITING_DATABASE", image_version: "1.0.0" },
      ...{ created_at: "2030-01-01T00:00:00.000Z", updated_at: "2030-01-01T00:00:00.000Z" },
      ...nulls("active_revision_id", "secret_references"),
      source_config: {
        ...nulls("integration_id", "repo_url", "custom_url", "listener_id", "listener_config"),
        ...nulls("install_command", "build_command"),
        ...{ build_on_push: false, deployment_type: "prod" },
        resource_spec: { min_scale: 1, max_scale: 1, cpu: 1, memory_mb: 2048, labels: null },
      },
      source_revision_config: {
        image_uri: "registry.example.com/chat:1",
        ...nulls("repo_ref", "graph_config_path", "source_tarball_path", "repo_commit_sha"),
      },
    });
    expect(Object.keys(specOf(response))).toHaveLength(32 + 8);
    for (const id of ["id", "tenant_id", "latest_revision_id"])
      expect(response[id]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it("keeps free-form objects as they are, whatever their keys", async () => {
    const emulator = await start();
    const resource_spec = JSON.parse(`{
      "labels": {"__proto__": "x", "constructor": "y", "camelCase": "z", "n": 1, "deep": {"snake_case": [null]}},
      "volumes": [{"name": "v", "configMap": {"defaultMode": 420}, "emptyDir": {}}],
      "sidecars": [{"name": "s", "env": [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "p"}}}]}]
    }`) as JsonObject;
    await created(emulator, minimal("chat", { source_config: { resource_spec } }));
    const headers = { "X-Api-Key": emulator.apiKey };
    const text = await (await fetch(`${emulator.url}/v2/deployments`, { headers })).text();
    for (const member of ["labels", "volumes", "sidecars"])
      expect(text).toContain(`"${member}":${JSON.stringify(resource_spec[member])}`);
  });

  it("refuses a name that is taken, even while its deployment is being deleted", async () => {
    const emulator = await start({ deletion: "never" });
    const { id } = await created(emulator);
    const detail = "A deployment named 'chat' already exists.";
    expect(await post(emulator)).toMatchObject({ status: 409, body: { detail } });
    await call(emulator, "DELETE", `/v2/deployments/${String(id)}`);
    expect((await post(emulator)).status).toBe(409);
    emulator.remove("chat");
    expect((await post(emulator)).status).toBe(201);
  });
});

it.each<[ShownSecrets, unknown]>([
  ["clear", { value: "sk-secret-1234" }],
  ["masked", { value: "***" }],
  ["omitted", {}],
  ["word", { value: "VALUE_WITHHELD" }],
  ["tail", { value: "sk-...1234" }],
  ["chance", { value: expect.stringMatching(/^[0-9a-f-]{36}$/) as string }],
])("secrets can be shown %s", async (secrets, shown) => {
  const body = minimal("chat", { secrets: [{ name: "KEY", value: "sk-secret-1234" }] });
  const response = await created(await start({ secrets }), body);
  expect(response["secrets"]).toEqual([{ name: "KEY", ...(shown as object) }]);
});

it("a service can lag: several responses show a changed deployment as it was", async () => {
  const emulator = await start({ lag: 2 });
  const { id } = await created(emulator, minimal("chat", { source_config: { resource_spec: { cpu: 1 } } }));
  const change = { source_config: { resource_spec: { cpu: 2 } } };
  const { body } = await call(emulator, "PATCH", `/v2/deployments/${String(id)}`, change);
  expect(specOf(body)).toMatchObject({ cpu: 1 });
  expect(specOf(await readOne(emulator))).toMatchObject({ cpu: 1 });
  expect(specOf(await readOne(emulator))).toMatchObject({ cpu: 2 });
});
