import { describe, expect, it } from "vitest";
import type { EmulatorOptions, JsonObject } from "../../emulator";
import { call, created, list, readOne, minimal, start } from "./support";

const withSpec = (resource_spec: JsonObject) => minimal("chat", { source_config: { resource_spec } });
const specOf = (response: JsonObject | undefined) =>
  (response?.["source_config"] as JsonObject | undefined)?.["resource_spec"];

describe("a service that normalizes", () => {
  const emulatorWith = (...normalizations: NonNullable<EmulatorOptions["normalizations"]>) =>
    start({ normalizations });

  it("rounds and limits numbers when it is sent them, and not what is changed by hand", async () => {
    const emulator = await emulatorWith("rounds");
    const body = withSpec({ cpu: 0.55, max_scale: 20, memory_mb: 500 });
    expect(specOf(await created(emulator, body))).toMatchObject({ cpu: 0.6, max_scale: 10, memory_mb: 512 });
    emulator.change("chat", ({ source_config }) => (source_config["resource_spec"] = { cpu: 0.77 }));
    const [{ id }] = (await list(emulator)) as [{ id: string }];
    await call(emulator, "PATCH", `/v2/deployments/${id}`, { source_config: { build_on_push: true } });
    expect(specOf(await readOne(emulator))).toMatchObject({ cpu: 0.77 });
  });

  it("adds a sidecar and a label of its own, and leaves empty objects out", async () => {
    const emulator = await emulatorWith("drops", "injects");
    const response = await created(emulator, withSpec({ volumes: [{ name: "v", emptyDir: {} }] }));
    expect(specOf(response)).toMatchObject({
      labels: { "mesh.example.com/injected": "true" },
      sidecars: [{ name: "proxy" }],
      volumes: [{ name: "v" }],
    });
  });

  it("spells addresses its own way", async () => {
    const emulator = await emulatorWith("spells");
    const response = await created(
      emulator,
      minimal("chat", { source_config: { custom_url: "https://Chat.example.com/A/" } }),
    );
    expect(response["source_config"]).toMatchObject({ custom_url: "https://chat.example.com/A" });
  });
});

describe("a service whose responses lag", () => {
  it("shows a changed deployment as it was, for so many responses", async () => {
    const emulator = await start({ lag: 2 });
    const { id } = await created(emulator, withSpec({ cpu: 1 }));
    const body = { source_config: { resource_spec: { cpu: 2 } } };
    const reply = await call(emulator, "PATCH", `/v2/deployments/${String(id)}`, body);
    expect(specOf(reply.body)).toMatchObject({ cpu: 1 });
    expect(specOf(await readOne(emulator))).toMatchObject({ cpu: 1 });
    expect(specOf(await readOne(emulator))).toMatchObject({ cpu: 2 });
  });
});

describe("a service that shows something in place of secrets", () => {
  it.each([
    ["word", "VALUE_WITHHELD"],
    ["tail", "sk-...1234"],
    ["chance", expect.stringMatching(/^[0-9a-f-]{36}$/)],
  ] as const)("shows %s", async (secrets, value) => {
    const emulator = await start({ secrets });
    const body = minimal("chat", { secrets: [{ name: "KEY", value: "sk-secret-1234" }] });
    expect(await created(emulator, body)).toMatchObject({ secrets: [{ name: "KEY", value }] });
  });
});
