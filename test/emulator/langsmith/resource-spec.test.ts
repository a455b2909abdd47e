import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../emulator";
import { bodyOf, created, post, start } from "./support";

const withSpec = (resource_spec: unknown) => bodyOf("external_docker", { resource_spec });

describe("a resource_spec (6)", () => {
  it.each<[string, unknown]>([
    ["cpu", 0],
    ["cpu", 8.1],
    ["memory_mb", 512.5],
    ["min_scale", -1],
    ["labels", { replicas: 1 }],
    ["sidecars", [{ name: "proxy" }]],
    ["init_containers", [{ name: "a", image: "b", env: [{ value: "v" }] }]],
    ["init_containers", [{ name: "a", image: "b", resources: { limits: { cpu: 1 } } }]],
  ])("does not take %s %j", async (field, value) => {
    const { status, body } = await post(await start(), withSpec({ [field]: value }));
    expect(status).toBe(422);
    const [{ loc }] = body["detail"] as [{ loc: unknown[] }];
    expect(loc.slice(0, 4)).toEqual(["body", "source_config", "resource_spec", field]);
  });

  it.each<[string, unknown]>([
    ["cpu", 0.1],
    ["cpu", null],
    ["sidecars", [{ name: "proxy", image: "registry.example.com/proxy:1" }]],
  ])("takes %s %j", async (field, value) => {
    await created(await start(), withSpec({ [field]: value }));
  });

  it("is shown in full, with cores rounded to one decimal", async () => {
    const { source_config } = await created(await start(), withSpec({ cpu: 0.25, max_scale: 3 }));
    const { resource_spec } = source_config as { resource_spec: JsonObject };
    expect(resource_spec).toMatchObject({ cpu: 0.3, max_scale: 3, memory_mb: 2048, sidecars: null });
    expect(Object.keys(resource_spec)).toHaveLength(32 + 4 + 8);
  });
});
