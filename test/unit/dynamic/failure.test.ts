/** What the provider returns after an operation that failed, and after a policy that changes arguments. */
import { expect, it } from "vitest";
import type { Values } from "../../../schema/tree";
import { opened } from "../../support/provider-process";
import { providerText } from "../../../provider/stored/internal-inputs";
import { start } from "../../support/emulator";
import { providerWith } from "./support";

async function connected() {
  const emulator = await start();
  const { url: baseUrl, apiKey } = emulator;
  return { provider: await providerWith({ baseUrl, apiKey, pollInterval: "10ms" }), emulator };
}

const declared = (tag: string, more: Values = {}): Values => ({
  ...{ name: "chat", source: "external_container", __provider: providerText },
  ...{ sourceRevisionConfig: { imageUri: `registry.example.com/chat:${tag}` }, ...more },
  __options: { urn: "urn:pulumi:dev::shop::*::chat" },
});

it("a refresh gives the engine the inputs of a failed operation, which has others, and of no other operation", async () => {
  const { provider, emulator } = await connected();
  const checked = async (old: object, news: object) => (await provider.check!(old, news)).inputs as object;
  const first = await checked({}, declared("1"));
  const { id, outs } = await provider.create(first as never);
  expect(await provider.read!(id, opened(outs as Values))).not.toHaveProperty("inputs");

  // The revision becomes active, but the application does not answer.
  const ready = { path: "/health", timeout: "1s" };
  const second = await checked(first, declared("2", { ready }));
  const failed: unknown = await provider.update!(id, opened(outs as Values) as never, second as never).catch(
    (error: unknown) => error,
  );
  const { properties } = failed as { properties: Values };
  const { props, inputs } = await provider.read!(id, opened(properties));
  expect(inputs).toMatchObject({ sourceRevisionConfig: { imageUri: "registry.example.com/chat:2" } });
  // Whatever the state of the rollout says.
  const { __private, ...others } = opened(properties);
  const { rollout: _, ...rest } = JSON.parse(__private as string) as Values;
  const unmarked = { ...others, __private: JSON.stringify(rest) };
  expect(await provider.read!(id, unmarked)).toHaveProperty("inputs");
  expect(props).not.toHaveProperty("__failed");
  expect(emulator.deployment("chat")!.revisions).toHaveLength(2);
});

it("a policy that changes arguments after their check counts no revision that it takes back, and shows no change for it", async () => {
  const { provider, emulator } = await connected();
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
