import { beforeEach, describe, expect, it } from "vitest";
import type { Emulator, JsonObject } from "../../emulator";
import { call, created, minimal, start } from "./support";

let emulator: Emulator;
beforeEach(async () => {
  emulator = await start();
});

type Case = [what: string, body: JsonObject, type: string, loc: (string | number)[]];

const config = (source_config: JsonObject): JsonObject => ({ source_config });
const spec = (resource_spec: JsonObject): JsonObject => config({ resource_spec });
const sidecar = (member: JsonObject): JsonObject => spec({ sidecars: [member] });
const at = (...loc: (string | number)[]) => ["body", ...loc];
const inSpec = (...loc: (string | number)[]) => at("source_config", "resource_spec", ...loc);

/** Wrong in a POST and in a PATCH alike. */
const wrongAnywhere: Case[] = [
  ["an unknown key", { sourceConfig: {} }, "extra_forbidden", at("sourceConfig")],
  ["an unknown setting", config({ repoUrl: "x" }), "extra_forbidden", at("source_config", "repoUrl")],
  [
    "an unknown key of the listener",
    config({ listener_config: { k8sNamespace: "x" } }),
    "extra_forbidden",
    at("source_config", "listener_config", "k8sNamespace"),
  ],
  [
    "an unknown revision field",
    { source_revision_config: { image: "x" } },
    "extra_forbidden",
    at("source_revision_config", "image"),
  ],
  ["an unknown resource", spec({ minScale: 1 }), "extra_forbidden", inSpec("minScale")],
  [
    "an unknown volume member",
    spec({ volumes: [{ hostPath: {} }] }),
    "extra_forbidden",
    inSpec("volumes", 0, "hostPath"),
  ],
  [
    "an unknown mount member",
    spec({ volume_mounts: [{ mount_path: "/" }] }),
    "extra_forbidden",
    inSpec("volume_mounts", 0, "mount_path"),
  ],
  ["an unknown container member", sidecar({ ports: [] }), "extra_forbidden", inSpec("sidecars", 0, "ports")],
  [
    "an unknown member of an environment entry",
    sidecar({ env: [{ key: "A" }] }),
    "extra_forbidden",
    inSpec("sidecars", 0, "env", 0, "key"),
  ],
  [
    "a text for a boolean",
    config({ build_on_push: "true" }),
    "bool_type",
    at("source_config", "build_on_push"),
  ],
  ["a number for a text", config({ repo_url: 1 }), "string_type", at("source_config", "repo_url")],
  ["a malformed id", config({ integration_id: "x" }), "uuid_parsing", at("source_config", "integration_id")],
  ["a list for an object", { source_config: [] }, "model_type", at("source_config")],
  ["null for the settings", { source_config: null }, "model_type", at("source_config")],
  ["null for the revision", { source_revision_config: null }, "model_type", at("source_revision_config")],
  ["a text for a number", spec({ cpu: "1" }), "number_type", inSpec("cpu")],
  ["a negative number", spec({ queue_cpu: -0.1 }), "greater_than_equal", inSpec("queue_cpu")],
  ["a part of a replica", spec({ min_scale: 0.5 }), "int_type", inSpec("min_scale")],
  ["a part of a megabyte", spec({ db_memory_mb: 1.5 }), "int_type", inSpec("db_memory_mb")],
  ["a list for labels", spec({ labels: [] }), "dict_type", inSpec("labels")],
  ["a text for a list", sidecar({ command: "run" }), "list_type", inSpec("sidecars", 0, "command")],
  ["a number in a list of texts", sidecar({ args: [1] }), "string_type", inSpec("sidecars", 0, "args", 0)],
  ["a map of secrets", { secrets: { KEY: "v" } }, "list_type", at("secrets")],
  ["a secret without a value", { secrets: [{ name: "KEY" }] }, "missing", at("secrets", 0, "value")],
  [
    "a secret that is null",
    { secrets: [{ name: "K", value: null }] },
    "string_type",
    at("secrets", 0, "value"),
  ],
  [
    "an unknown member of a secret",
    { secrets: [{ name: "K", value: "v", note: "" }] },
    "extra_forbidden",
    at("secrets", 0, "note"),
  ],
  [
    "a secret reference without its key",
    { secret_references: [{ name: "K", secret_name: "s" }] },
    "missing",
    at("secret_references", 0, "secret_key"),
  ],
  ["an id", { id: "x" }, "read_only", at("id")],
  ["a status", { status: "READY" }, "read_only", at("status")],
  [
    "a commit",
    { source_revision_config: { repo_commit_sha: "a" } },
    "read_only",
    at("source_revision_config", "repo_commit_sha"),
  ],
];

const wrongOnCreate: Case[] = [
  ["an empty name", { name: "" }, "string_too_short", at("name")],
  ["an unknown source", { source: "github" }, "enum", at("source")],
  ["null for the secrets", { secrets: null }, "list_type", at("secrets")],
  ["a revision source", { revision_source: "codehost" }, "extra_forbidden", at("revision_source")],
  ["an unknown type", config({ deployment_type: "free" }), "enum", at("source_config", "deployment_type")],
];

const wrongOnPatch: Case[] = [
  ["a name", { name: "other" }, "immutable", at("name")],
  ["a source", { source: "codehost" }, "immutable", at("source")],
  [
    "a deployment type",
    config({ deployment_type: "dev" }),
    "immutable",
    at("source_config", "deployment_type"),
  ],
  ["a source as revision source", { revision_source: "external_container" }, "enum", at("revision_source")],
];

describe("a wrong request changes nothing and is answered with the place", () => {
  it.each([...wrongAnywhere, ...wrongOnCreate])("POST with %s", async (_what, part, type, loc) => {
    const reply = await call(emulator, "POST", "/v2/deployments", { ...minimal(), ...part });
    expect(reply.status).toBe(422);
    expect(reply.body["detail"]).toEqual([expect.objectContaining({ type, loc })]);
    expect(emulator.deployments()).toEqual([]);
  });

  it.each([...wrongAnywhere, ...wrongOnPatch])("PATCH with %s", async (_what, part, type, loc) => {
    const { id } = await created(emulator);
    const before = emulator.deployments();
    const reply = await call(emulator, "PATCH", `/v2/deployments/${String(id)}`, part);
    expect(reply.status).toBe(422);
    expect(reply.body["detail"]).toEqual([expect.objectContaining({ type, loc })]);
    expect(emulator.deployments()).toEqual(before);
  });

  it("names every missing field in one response", async () => {
    const { body } = await call(emulator, "POST", "/v2/deployments", {});
    const required = ["name", "source", "source_config", "source_revision_config", "secrets"];
    expect(body["detail"]).toEqual(
      required.map((key) => ({ type: "missing", loc: ["body", key], msg: "Field required", input: {} })),
    );
  });

  it("accepts null for each nullable field", async () => {
    const nulls = (...keys: string[]) => Object.fromEntries(keys.map((key) => [key, null]));
    const body = minimal("chat", {
      source_config: {
        ...nulls("integration_id", "repo_url", "build_on_push", "custom_url", "listener_id"),
        ...nulls("listener_config", "install_command", "build_command", "deployment_type"),
        resource_spec: nulls("cpu", "min_scale", "labels", "sidecars", "service_account_name"),
      },
      source_revision_config: nulls("repo_ref", "graph_config_path", "image_uri", "source_tarball_path"),
      secret_references: null,
    });
    expect((await call(emulator, "POST", "/v2/deployments", body)).status).toBe(201);
  });

  it("refuses secret references for any source but an external container", async () => {
    const references = [{ name: "DB", secret_name: "db", secret_key: "url" }];
    const wrong = minimal("a", { source: "codehost", secret_references: references });
    expect(await call(emulator, "POST", "/v2/deployments", wrong)).toMatchObject({
      status: 400,
      body: { detail: "'secret_references' is not applicable for source 'codehost'." },
    });
    const right = minimal("b", { secret_references: references });
    expect((await created(emulator, right))["secret_references"]).toEqual(references);
  });
});

describe("every request", () => {
  const post = (body: unknown, headers?: Record<string, string>) =>
    call(emulator, "POST", "/v2/deployments", body, headers);

  it("refuses a missing and a wrong key, and repeats neither (K12)", async () => {
    const missing = await fetch(`${emulator.url}/v2/deployments`);
    expect(missing.status).toBe(401);
    const wrong = await call(emulator, "GET", "/v2/deployments", undefined, { "X-Api-Key": "guessed-key" });
    expect(wrong.status).toBe(401);
    expect(JSON.stringify(wrong.body)).not.toContain("guessed-key");
    expect(JSON.stringify(emulator.requests())).not.toMatch(/guessed-key/);
  });

  it("asks for the tenant only when it was told to", async () => {
    const tenantId = "22222222-2222-4222-8222-222222222222";
    const strict = await start({ tenantId });
    const get = (headers?: Record<string, string>) =>
      call(strict, "GET", "/v2/deployments", undefined, headers);
    expect(await get()).toMatchObject({ status: 403 });
    expect(JSON.stringify((await get()).body)).toContain("requires workspace specification");
    expect((await get({ "x-tenant-id": "other" })).status).toBe(403);
    expect((await get({ "x-tenant-id": tenantId })).status).toBe(200);
    expect(strict.create(minimal()).tenant_id).toBe(tenantId);
  });

  it("refuses a body that is not declared as JSON, is not JSON, or is not an object", async () => {
    expect((await post(minimal(), { "content-type": "text/plain" })).status).toBe(415);
    expect((await post('{"name":')).status).toBe(422);
    expect((await post("")).status).toBe(422);
    expect((await post([])).status).toBe(422);
    expect((await post(minimal(), { "content-type": "application/json; charset=utf-8" })).status).toBe(201);
  });

  it("answers an unknown path, and an endpoint the specification does not show, with 404", async () => {
    const { id } = await created(emulator);
    for (const path of ["/", "/v2/deployments/", `/v2/deployments/${String(id)}`, "/v1/deployments"])
      expect(await call(emulator, "GET", path)).toMatchObject({ status: 404, body: { detail: "Not Found" } });
  });

  it("tells a malformed id from an unknown one", async () => {
    expect(await call(emulator, "PATCH", "/v2/deployments/chat", {})).toMatchObject({
      status: 422,
      body: { detail: [{ type: "uuid_parsing", loc: ["path", "deployment_id"], input: "chat" }] },
    });
    const id = "33333333-3333-4333-8333-333333333333";
    expect(await call(emulator, "PATCH", `/v2/deployments/${id}`, {})).toMatchObject({
      status: 404,
      body: { detail: `Deployment ID ${id} not found.` },
    });
  });

  it("puts a request id and a date on every response", async () => {
    for (const reply of [await call(emulator, "GET", "/v2/deployments"), await call(emulator, "GET", "/x")]) {
      expect(reply.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
      expect(Date.parse(reply.headers.get("date") ?? "")).not.toBeNaN();
    }
    expect(new Set(emulator.requests().map(({ requestId }) => requestId)).size).toBe(2);
  });
});
