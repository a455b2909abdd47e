import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { program } from "../e2e/support";
import { newest, oldest, versionOf } from "../interop/client";
import { deploymentService, image, useClient, useStack } from "../interop/support";

const lookingUp = program(`
const service = require("pulumi-deployment-service");
module.exports = async () => {
  const all = await service.listDeployments();
  return {
    sources: Object.fromEntries(all.map(({ name, source }) => [name, source])),
    found: service.getDeploymentOutput({ name: "search" }),
  };
};
`);

const fromFile = program(`require("pulumi-deployment-service").fromManifest("deployments.yaml");`);

describe(`what a client of strangers deploys (${versionOf(newest)} and ${versionOf(oldest)})`, () => {
  const product = useStack(lookingUp);
  const client = useClient(newest, product);
  const older = useClient(oldest, product);
  const made = () => product.emulator.deployments().map(({ id, name }) => ({ id, name }));

  it("is deployed: from a registry, by an upload, by a push, and by the first client that could", async () => {
    client().setEnvironment({ MODEL_API_KEY: "model-hush" });
    const ways = [
      client().deploy("--no-input", "--name", "chat", "--image-uri", image("chat", 1)),
      client().deploy("--no-input", "--name", "search", "--remote", "--deployment-type", "dev"),
      client().deploy("--no-input", "--name", "translate", "--image", "translate:1"),
      older().deploy("--name", "report", "--remote", "--deployment-type", "prod"),
    ];
    for (const said of await Promise.all(ways)) expect(said).toContain("Deployment successful!");
    expect(await client().list()).toEqual(expect.arrayContaining(made()));
    expect(made()).toHaveLength(ways.length);
  });

  it("has its log, which all generations of the client print", async () => {
    product.emulator.configure({ logs: { build: ["compiled"], deploy: ["listening"] } });
    expect(await client().deploy("logs", "--name", "chat")).toContain("listening");
    expect(await older().deploy("logs", "--name", "search", "--type", "build")).toContain("compiled");
  });

  it("is what lookups in a program answer, in the words of this package", async () => {
    await product.up();
    const outputs = await product.stack.run(["stack", "output", "--json", "--show-secrets"]);
    expect(JSON.parse(outputs.stdout)).toMatchObject({
      sources: {
        chat: "external_container",
        search: "internal_source",
        translate: "internal_container",
        report: "internal_source",
      },
      found: {
        sourceConfig: { deploymentType: "dev" },
        sourceRevisionConfig: { graphConfigPath: "langgraph.json" },
        secrets: { MODEL_API_KEY: "model-hush" },
        status: "READY",
      },
    });
    expect(product.stack.stateText()).not.toContain("model-hush");
  });

  it("is what `npx pulumi-deployment-service list` shows", async () => {
    const listed = JSON.parse(await deploymentService(product, "list", "--json")) as { id: string }[];
    expect(listed.map(({ id }) => id).sort()).toEqual(
      made()
        .map(({ id }) => id)
        .sort(),
    );
  });

  it("is imported, and the next preview, refresh and up change nothing", async () => {
    const before = product.emulator.deployments();
    product.stack.write(fromFile);
    await deploymentService(product, "import", "--out", "import.json", "--manifest", "deployments.yaml");
    const manifest = readFileSync(join(product.stack.folder, "deployments.yaml"), "utf8");
    expect(manifest).toContain("graphConfigPath: langgraph.json");
    expect(manifest).toContain(`imageUri: ${image("chat", 1)}`);
    expect(manifest).not.toContain("model-hush");
    await product.stack.import("import.json", { args: ["--protect=false"] });
    expect((await product.preview({ args: ["--expect-no-changes", "--diff"] })).writes).toEqual([]);
    expect((await product.refresh({ args: ["--expect-no-changes"] })).writes).toEqual([]);
    expect((await product.up({ args: ["--expect-no-changes"] })).requests).toEqual([]);
    expect(product.emulator.deployments()).toEqual(before);
  });
});
