import { beforeEach, describe, expect, it, vi } from "vitest";
import { provider } from "../../../../provider/dynamic/provider";
import { standard } from "../../../../provider/dialects/standard";
import { bulkFile } from "../../../../cli/import/bulk-file";
import { chooseImports } from "../../../../cli/import/choice";
import { observed } from "./support";

const shown = observed({ source_revision_config: { image_uri: "registry.example.com/chat:1" } });
const [resource] = bulkFile(chooseImports([shown], standard).imported, standard).resources;
const { inputs, outputs: ofFile } = resource!;
/** As the first preview reads it from the service. */
const outputs = { ...ofFile, __private: JSON.stringify({ version: 1, shown: {} }) };
const urn = "urn:pulumi:dev::p::pulumi-nodejs:dynamic/deployment-service:Deployment::chat";

beforeEach(() => {
  vi.stubEnv("DEPLOYMENT_SERVICE_URL", "https://deployments.example.com");
  vi.stubEnv("DEPLOYMENT_SERVICE_API_KEY", "key");
});

/** The engine checks a resource before it compares it; a comparison without a check is that of a refresh. */
const changesOf = async (news: object) => {
  await provider.check!(inputs, { ...inputs, __options: { urn } });
  return (await provider.diff!("id", outputs, { ...inputs, __options: { urn }, ...news })).changes;
};

describe("the preview after an import", () => {
  it("shows no change for the URN alone, which an import does not know", async () => {
    expect(await changesOf({})).toBe(false);
  });

  it("shows none in a refresh, which compares without a check", async () => {
    const options = { urn: urn.replace("::chat", "::refreshed") };
    expect((await provider.diff!("id", outputs, { ...inputs, __options: options })).changes).toBe(false);
  });

  it.each([
    { sourceRevisionConfig: { imageUri: "registry.example.com/chat:2" } },
    { skipAwait: true },
    { secrets: { A: "1" } },
    { __options: { urn, timeouts: { create: "1m" } } },
    { __options: { urn, secretPaths: [["sourceConfig", "customUrl"]] } },
  ])("shows any other change, without the options that an import does not know: %j", async (news) => {
    expect(await changesOf(news)).toBe(true);
  });

  it("accepts the inputs of the import file in check, and refuses any other generation", async () => {
    expect(await provider.check!(inputs, inputs)).toMatchObject({ failures: [], inputs: { generation: 1 } });
    const forged = await provider.check!(inputs, { ...inputs, generation: 7 });
    expect(forged.failures).toMatchObject([
      { reason: expect.stringContaining('unknown key "generation"') as string },
    ]);
  });
});
