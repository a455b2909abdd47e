/** A provider that an engine transform sets: the program does not see it, and its process does. */
import { expect, it } from "vitest";
import { providerText } from "../../../provider/stored/internal-inputs";
import type { Values } from "../../../schema/tree";
import { providerWith } from "./support";

const urn = (type: string, name: string) => `urn:pulumi:dev::shop::${type}::${name}`;
const resource = urn("pulumi-nodejs:dynamic/deployment-service:Deployment", "chat");

/** The process of a `Provider`, or of the stack's own connection. */
const processOf = (name: string | undefined, host: string) =>
  providerWith({ baseUrl: `https://${host}.example.com`, apiKey: "key-for-tests", provider: name });

/** What the program registers. */
const inputs = (provider: string): Values => ({
  name: "chat",
  source: "external_container",
  sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
  __options: { urn: resource, provider, ...(provider !== "default" && { providerId: "some-id" }) },
  __provider: providerText,
});

/** A deployment that was made at the first of two services. */
const outputs = (host: string, checked: Values): Values => ({
  ...checked,
  generation: 1,
  status: "READY",
  __madeWith: { address: `https://${host}.example.com`, dialect: "standard" },
  __private: JSON.stringify({ version: 1, shown: {} }),
});

it.each([
  ["an own provider, in place of the stack's connection", undefined, "eu"],
  ["another provider", "us", "eu"],
  ["the stack's connection, in place of a provider", "eu", undefined],
])("moves the deployment as the option `provider` would: %s", async (_, before, after) => {
  const declared = before === undefined ? "default" : urn("pulumi:providers:pulumi-nodejs", before);
  const first = await processOf(before, "one");
  const { inputs: old } = await first.check!({}, inputs(declared));
  // The program's code is as before: only the engine knows of the transform.
  const second = await processOf(after, "two");
  const { inputs: now } = await second.check!(old as Values, inputs(declared));
  const difference = await second.diff!("d1", outputs("one", old as Values), now as Values);
  expect(difference).toMatchObject({ changes: true, replaces: ["provider"] });
  const { inputs: again } = await second.check!(now as Values, inputs(declared));
  expect(await second.diff!("d2", outputs("two", now as Values), again as Values)).toMatchObject({
    changes: undefined,
    replaces: [],
  });
});
