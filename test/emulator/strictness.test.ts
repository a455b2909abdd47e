import { beforeEach, describe, expect, it } from "vitest";
import { langsmith, standard, type Emulator, type JsonObject } from "../../emulator";
import { call, created, minimal, nobody, post, start } from "./support";

let emulator: Emulator;
beforeEach(async () => {
  emulator = await start();
});

/** The path is dotted, below the body. */
type Case = [what: string, body: JsonObject, type: string, path: string];

const config = (source_config: JsonObject): JsonObject => ({ source_config });
const revision = (source_revision_config: JsonObject): JsonObject => ({ source_revision_config });
const spec = (resource_spec: JsonObject): JsonObject => config({ resource_spec });
const sidecar = (member: JsonObject): JsonObject => spec({ sidecars: [member] });
const secret = (member: JsonObject): JsonObject => ({ secrets: [member] });
const inSpec = (path: string) => `source_config.resource_spec.${path}`;
const locOf = (path: string) => [
  "body",
  ...path.split(".").map((key) => (/^\d+$/.test(key) ? Number(key) : key)),
];

const [unknown, text, missing, readOnly] = ["extra_forbidden", "string_type", "missing", "read_only"];
const reference = { name: "K", secret_name: "s" };

/** Wrong in a POST and in a PATCH. */
const wrongAnywhere: Case[] = [
  ["an unknown key", { sourceConfig: {} }, unknown, "sourceConfig"],
  ["an unknown revision field", revision({ image: "x" }), unknown, "source_revision_config.image"],
  [
    "an unknown key of a volume",
    spec({ volumes: [{ hostPath: {} }] }),
    unknown,
    inSpec("volumes.0.hostPath"),
  ],
  ["an unknown key of a container", sidecar({ ports: [] }), unknown, inSpec("sidecars.0.ports")],
  ["a text for a boolean", config({ build_on_push: "true" }), "bool_type", "source_config.build_on_push"],
  ["a malformed id", config({ integration_id: "x" }), "uuid_parsing", "source_config.integration_id"],
  ["a list for an object", { source_config: [] }, "model_type", "source_config"],
  ["a negative number", spec({ queue_cpu: -0.1 }), "greater_than_equal", inSpec("queue_cpu")],
  ["a fraction of a replica", spec({ min_scale: 0.5 }), "int_type", inSpec("min_scale")],
  ["a list for labels", spec({ labels: [] }), "dict_type", inSpec("labels")],
  ["a number in a list of texts", sidecar({ args: [1] }), text, inSpec("sidecars.0.args.0")],
  ["a map of secrets", { secrets: { KEY: "v" } }, "list_type", "secrets"],
  ["a secret without a value", secret({ name: "KEY" }), missing, "secrets.0.value"],
  [
    "a reference without a key",
    { secret_references: [reference] },
    missing,
    "secret_references.0.secret_key",
  ],
  ["an id", { id: "x" }, readOnly, "id"],
  ["a commit", revision({ repo_commit_sha: "a" }), readOnly, "source_revision_config.repo_commit_sha"],
];

const wrongOnCreate: Case[] = [
  ["an empty name", { name: "" }, "string_too_short", "name"],
  ["an unknown source", { source: "github" }, "enum", "source"],
  ["null for the secrets", { secrets: null }, "list_type", "secrets"],
  ["a revision source", { revision_source: "codehost" }, unknown, "revision_source"],
  ["an unknown type", config({ deployment_type: "free" }), "enum", "source_config.deployment_type"],
];

const wrongOnPatch: Case[] = [
  ["a name", { name: "other" }, "immutable", "name"],
  ["a source", { source: "codehost" }, "immutable", "source"],
  ["a deployment type", config({ deployment_type: "dev" }), "immutable", "source_config.deployment_type"],
  ["a source as revision source", { revision_source: "external_container" }, "enum", "revision_source"],
];

describe("a wrong request changes nothing, and the response says where it is wrong", () => {
  it.each([...wrongAnywhere, ...wrongOnCreate])("POST with %s", async (_what, part, type, path) => {
    const reply = await post(emulator, { ...minimal(), ...part });
    expect(reply).toMatchObject({ status: 422, body: { detail: [{ type, loc: locOf(path) }] } });
    expect(emulator.deployments()).toEqual([]);
  });

  it.each([...wrongAnywhere, ...wrongOnPatch])("PATCH with %s", async (_what, part, type, path) => {
    const { id } = await created(emulator);
    const before = emulator.deployments();
    const reply = await call(emulator, "PATCH", `/v2/deployments/${String(id)}`, part);
    expect(reply).toMatchObject({ status: 422, body: { detail: [{ type, loc: locOf(path) }] } });
    expect(emulator.deployments()).toEqual(before);
  });

  it("that names every missing field at once", async () => {
    const { body } = await post(emulator, {});
    const required = ["name", "source", "source_config", "source_revision_config", "secrets"];
    expect(body["detail"]).toEqual(
      required.map((key) => ({ type: "missing", loc: ["body", key], msg: "Field required", input: {} })),
    );
  });
});

it("null is accepted for each nullable field", async () => {
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
  expect((await post(emulator, body)).status).toBe(201);
});

describe("every request", () => {
  it("needs the right key, and its response repeats none (K12)", async () => {
    expect((await fetch(`${emulator.url}/v2/deployments`)).status).toBe(401);
    const wrong = await call(emulator, "GET", "/v2/deployments", undefined, { "X-Api-Key": "guessed-key" });
    expect(wrong.status).toBe(401);
    expect(JSON.stringify([wrong.body, emulator.requests()])).not.toContain("guessed-key");
  });

  it("must name the tenant if the emulator has one", async () => {
    emulator = await start({ tenantId: nobody });
    const get = (headers?: Record<string, string>) =>
      call(emulator, "GET", "/v2/deployments", undefined, headers);
    const detail = expect.stringContaining("requires workspace specification") as string;
    expect(await get()).toMatchObject({ status: 403, body: { detail } });
    expect((await get({ "x-tenant-id": "other" })).status).toBe(403);
    expect((await get({ "x-tenant-id": nobody })).status).toBe(200);
    expect(emulator.create(minimal()).tenant_id).toBe(nobody);
  });

  it.each<[what: string, status: number, body: unknown, type?: string]>([
    ["that is not declared as JSON", 415, minimal(), "text/plain"],
    ["that is not JSON", 422, '{"name":'],
    ["that is empty", 422, ""],
    ["that is not an object", 422, []],
    ["in JSON with a charset", 201, minimal(), "application/json; charset=utf-8"],
  ])("with a body %s gets %i", async (_what, status, body, type = "application/json") => {
    expect((await post(emulator, body, { "content-type": type })).status).toBe(status);
  });

  it("to an unknown path gets 404", async () => {
    const notFound = { status: 404, body: { detail: "Not Found" } };
    const one = `/v2/deployments/${nobody}`;
    for (const path of ["/", "/v2/deployments/", one, "/v1/deployments"])
      expect(await call(emulator, "GET", path)).toMatchObject(notFound);
    for (const rules of [standard, langsmith])
      expect(await call(await start({ rules }), "PUT", one, minimal())).toMatchObject(notFound);
  });

  it("with a malformed id gets 422, with an unknown one 404", async () => {
    expect(await call(emulator, "PATCH", "/v2/deployments/chat", {})).toMatchObject({
      status: 422,
      body: { detail: [{ type: "uuid_parsing", loc: ["path", "deployment_id"], input: "chat" }] },
    });
    expect(await call(emulator, "PATCH", `/v2/deployments/${nobody}`, {})).toMatchObject({
      status: 404,
      body: { detail: `Deployment ID ${nobody} not found.` },
    });
  });

  it("gets a response with a request id and a date", async () => {
    for (const reply of [await call(emulator, "GET", "/v2/deployments"), await call(emulator, "GET", "/x")]) {
      expect(reply.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
      expect(Date.parse(reply.headers.get("date") ?? "")).not.toBeNaN();
    }
    expect(new Set(emulator.requests().map(({ requestId }) => requestId)).size).toBe(2);
  });
});
