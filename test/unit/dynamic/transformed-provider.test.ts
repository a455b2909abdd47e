/** A provider that an engine transform sets: the program does not see it, and its process does. */
import { expect, it } from "vitest";
import type { Values } from "../../../schema/tree";
import { providerWith } from "./support";

const urnOf = (type: string, name: string) => `urn:pulumi:dev::shop::${type}::${name}`;
const urn = urnOf("pulumi-nodejs:dynamic/deployment-service:Deployment", "chat");

const startedFor = (provider: string | undefined, baseUrl: string) =>
  providerWith({ baseUrl, apiKey: "key-for-tests", provider });

const addresses = ["https://one.example.com", "https://two.example.com"] as const;

it.each([
  ["an own provider, in place of the stack's connection", undefined, "eu"],
  ["another provider", "us", "eu"],
  ["the stack's connection, in place of a provider", "eu", undefined],
])("moves the deployment as the option `provider` would: %s", async (_, before, after) => {
  const provider = before === undefined ? "default" : urnOf("pulumi:providers:pulumi-nodejs", before);
  // The program's code stays as it is: only the engine knows of the transform.
  const declared = {
    name: "chat",
    source: "external_container",
    sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
    __options: { urn, provider, ...(before !== undefined && { providerId: "some-id" }) },
  };
  const madeAt = (address: string, inputs: Values): Values => {
    return {
      ...inputs,
      generation: 1,
      __madeWith: { address, dialect: "standard" },
      __private: '{"shown":{}}',
    };
  };
  const { inputs: old } = await (await startedFor(before, addresses[0])).check!({}, declared);
  const second = await startedFor(after, addresses[1]);
  const { inputs: now } = await second.check!(old as Values, declared);
  const moved = await second.diff!("d1", madeAt(addresses[0], old as Values), now as Values);
  expect(moved).toMatchObject({ changes: true, replaces: ["provider"] });
  const { inputs: again } = await second.check!(now as Values, declared);
  const settled = await second.diff!("d2", madeAt(addresses[1], now as Values), again as Values);
  expect(settled).toMatchObject({ changes: undefined, replaces: [] });
});
