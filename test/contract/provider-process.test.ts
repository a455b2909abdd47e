/** The provider in the stock process that the engine loads it in, over gRPC, on each SDK. */
import { createRequire } from "node:module";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checking } from "./laws/check";
import { copying } from "./laws/copies";
import { comparing } from "./laws/diff";
import { failing } from "./laws/failures";
import { operating } from "./laws/operations";
import {
  declared,
  installed,
  packageJsonIn,
  packageName,
  placesOf,
  ProviderProcess,
  providerText,
  sdks,
  secret,
  settingsFor,
  urn,
  useProvider,
} from "../support/provider-process";

it("the lowest SDK of the tests is the lowest that the package allows", () => {
  const { peerDependencies } = packageJsonIn(join(__dirname, "../.."));
  expect(peerDependencies["@pulumi/pulumi"]).toBe(`>=${sdks[0]?.[1].version} <4`);
});

describe.each(sdks)("the provider process, on %s", (_, { name: sdk, version }) => {
  const served = useProvider(sdk);

  it("loads the package with the SDK of the project, and no other", async () => {
    const fromPackage = createRequire(
      join(served.process.project.folder, "node_modules", packageName, "package.json"),
    );
    const used = fromPackage.resolve("@pulumi/pulumi/package.json");
    expect(used).toBe(join(realpathSync(installed(sdk)), "package.json"));
    expect((await served.process.version()).replace(/^v/, "")).toBe(version);
  });

  describe("check", () => checking(served));
  describe("diff", () => comparing(served));
  describe("the operations", () => operating(served));
  describe("secrets", () => copying(served));
  describe("what fails", () => failing(served));

  // Older processes cannot: they look for the provider in a state, and there is none.
  if (sdk === sdks.at(-1)?.[1].name) {
    it("reads a deployment that the program does not manage, of which it has inputs only", async () => {
      const { id } = served.service.create({
        name: "chat",
        source: "external_container",
        source_config: {},
        source_revision_config: { image_uri: "registry.example.com/chat:1" },
        secrets: [{ name: "KEY", value: "sesame-opens" }],
      });
      const inputs = { __options: { urn: urn("chat") }, __provider: providerText };
      const { properties } = await served.process.read(id, { inputs });
      expect(properties).toMatchObject({
        name: "chat",
        sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
        secrets: secret({ KEY: "sesame-opens" }),
        status: "READY",
        __provider: providerText,
      });
    });
  }
});

describe.each(sdks)("a provider process with bad settings, on %s", (_, { name: sdk }) => {
  let started: ProviderProcess;
  beforeAll(async () => {
    started = await ProviderProcess.start(sdk);
    await started.configure({
      ...settingsFor({ url: "http://deployments.example.com", apiKey: "a key" }),
      "deployment-service:dialect": "klingon",
      "deployment-service:pollInterval": "soon",
    });
  });
  afterAll(() => started.stop());

  it("fails in check, naming each setting, and the key is not shown", async () => {
    const { failures } = await started.check(declared("chat"));
    expect(placesOf(failures)).toEqual([
      "deployment-service:apiKey",
      "deployment-service:baseUrl",
      "deployment-service:dialect",
      "deployment-service:pollInterval",
    ]);
    expect(JSON.stringify(failures)).not.toContain("a key");
  });
});
