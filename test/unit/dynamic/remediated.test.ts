/** A policy that changes arguments after `check`, which counted what the program declares. */
import { afterEach, expect, it, vi } from "vitest";
import { createProvider } from "../../../provider/dynamic/provider";
import { providerText } from "../../../provider/deployment/internal-inputs";
import { startEmulator, type Emulator } from "../../../emulator";
import type { Values } from "../../../schema/tree";
import { opened } from "../../support/provider-process";

let emulator: Emulator | undefined;
afterEach(async () => {
  vi.restoreAllMocks();
  await emulator?.close();
});

it("counts no revision that it takes back, and shows no change for it", async () => {
  emulator = await startEmulator();
  const provider = createProvider();
  const config: Record<string, string> = {
    "deployment-service:baseUrl": emulator.url,
    "deployment-service:apiKey": emulator.apiKey,
    "deployment-service:pollInterval": "10ms",
  };
  await provider.configure!({ config: { get: (key: string) => config[key] } } as never);
  const options = { urn: "urn:pulumi:dev::shop::*::chat" };
  const declared = (tag: string, more: Values = {}): Values => ({
    ...{ name: "chat", source: "external_container", __options: options, __provider: providerText },
    ...{ sourceRevisionConfig: { imageUri: `registry.example.com/chat:${tag}` }, ...more },
  });
  /** Takes every image from a mirror. */
  const checked = async (old: Values, news: Values): Promise<Values> => {
    const { inputs } = await provider.check!(old, news);
    return JSON.parse(JSON.stringify(inputs).replace("registry.example.com", "mirror.example.com")) as Values;
  };
  const first = await checked({}, declared("1"));
  const { id, outs } = await provider.create(first as never);
  const state = opened(outs as Values);
  let inputs = first;
  for (let run = 0; run < 3; run++) {
    inputs = await checked(inputs, declared("1"));
    expect((await provider.diff!(id, state, inputs)).changes).toBe(false);
  }
  const settings = await checked(inputs, declared("1", { sourceConfig: { buildOnPush: true } }));
  expect((await provider.update!(id, state, settings)).outs).toMatchObject({ generation: 1 });
  const image = await checked(inputs, declared("2"));
  expect((await provider.update!(id, state, image)).outs).toMatchObject({ generation: 2 });
  expect(emulator.deployment("chat")!.revisions).toHaveLength(2);
});
