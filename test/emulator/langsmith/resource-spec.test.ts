import { describe, expect, it } from "vitest";
import { langsmithWith, type JsonObject } from "../../../emulator";
import { bodyOf, created, deployed, post, start } from "./support";

const withSpec = (resource_spec: unknown) => bodyOf("external_docker", { resource_spec });

describe("a resource_spec (6)", () => {
  it.each<[string, number]>([
    ["cpu", 0],
    ["cpu", 8.1],
    ["cpu_limit", 16.5],
    ["queue_cpu", 0.05],
    ["queue_cpu_limit", 17],
    ["redis_cpu", 9],
    ["redis_cpu_limit", 0],
    ["memory_mb", 512.5],
    ["min_scale", -1],
  ])("does not take %s %d", async (field, value) => {
    const { status, body } = await post(await start(), withSpec({ [field]: value }));
    const loc = ["body", "source_config", "resource_spec", field];
    expect({ status, body }).toMatchObject({ status: 422, body: { detail: [{ loc, input: value }] } });
  });

  it.each<[string, unknown]>([
    ["cpu", 0.1],
    ["cpu_limit", 16],
    ["db_cpu", 64],
    ["cpu", null],
    ["labels", { team: "chat" }],
    ["sidecars", [{ name: "proxy", image: "registry.example.com/proxy:1" }]],
  ])("takes %s %j", async (field, value) => {
    await created(await start(), withSpec({ [field]: value }));
  });

  it.each<[string, unknown]>([
    ["labels", { replicas: 1 }],
    ["image_pull_secrets", [{}]],
    ["sidecars", [{ name: "proxy" }]],
    ["init_containers", [{ name: "a", image: "b", env: [{ value: "v" }] }]],
    ["init_containers", [{ name: "a", image: "b", resources: { limits: { cpu: 1 } } }]],
  ])("does not take %s %j", async (field, value) => {
    expect((await post(await start(), withSpec({ [field]: value }))).status).toBe(422);
  });

  it("has no bounds for cores where the service is self-hosted", async () => {
    await created(await start({ rules: langsmithWith({ selfHosted: true }) }), withSpec({ cpu: 32 }));
  });

  it("is answered in full, with cores rounded to one decimal", async () => {
    const { body } = await created(await start(), withSpec({ cpu: 0.25, max_scale: 3 }));
    const spec = (body["source_config"] as JsonObject)["resource_spec"] as JsonObject;
    expect(spec).toMatchObject({ cpu: 0.3, max_scale: 3, min_scale: 1, memory_mb: 2048, sidecars: null });
    expect(Object.keys(spec)).toHaveLength(32 + 8);
  });

  it("is replaced as a whole by a PATCH, and makes a revision", async () => {
    const emulator = await start();
    const { patch, revisions } = await deployed(emulator, withSpec({ cpu: 2, labels: { team: "chat" } }));
    const { status, body } = await patch({ source_config: { resource_spec: { memory_mb: 512 } } });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      source_config: { resource_spec: { cpu: 1, labels: null, memory_mb: 512 } },
    });
    expect(await revisions()).toHaveLength(2);
  });
});
