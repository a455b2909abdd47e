import { describe, expect, it } from "vitest";
import { declaring } from "../e2e/support";
import { newest } from "../interop/client";
import { image, useClient, useStack } from "./support";

const secrets = { MODEL_API_KEY: "model-hush", REGION: "eu" };

const chat = {
  source: "external_container",
  sourceConfig: { resourceSpec: { maxScale: 3 } },
  sourceRevisionConfig: { imageUri: image("chat", 1) },
  secrets,
};

describe("a revision that a client of strangers makes behind a stack's back", () => {
  const product = useStack(declaring({ chat }));
  const client = useClient(newest, product);
  const deploy = async (digit: number, env: Record<string, string>) => {
    client().setEnvironment(env);
    await client().deploy("--no-input", "--name", "chat", "--image-uri", image("chat", digit));
  };
  const revisions = () => product.emulator.deployment("chat")!.revisions.length;

  it("is no difference when it holds what the program declares", async () => {
    await product.up();
    await deploy(1, secrets);
    expect(revisions()).toBe(2);
    await product.refresh();
    expect((await product.preview({ args: ["--expect-no-changes"] })).requests).toEqual([]);
  });

  it("is no difference when the client has no variables: it sends an empty list", async () => {
    await deploy(1, {});
    expect(revisions()).toBe(3);
    await product.refresh();
    expect((await product.up({ args: ["--expect-no-changes"] })).requests).toEqual([]);
  });

  it("with another image differs in the image and nothing else, and `up` puts just that back", async () => {
    await deploy(2, secrets);
    await product.refresh();
    expect((await product.up()).writes).toEqual([
      { method: "PATCH", body: { source_revision_config: { image_uri: image("chat", 1) } } },
    ]);
    await product.refresh();
    await product.preview({ args: ["--expect-no-changes"] });
  });

  it("with other variables differs in the secrets and nothing else, and `up` puts just those back", async () => {
    await deploy(1, { MODEL_API_KEY: "someone-else", EXTRA: "more" });
    await product.refresh();
    const { writes } = await product.up();
    expect(writes).toEqual([
      {
        method: "PATCH",
        body: { secrets: Object.entries(secrets).map(([name, value]) => ({ name, value })) },
      },
    ]);
    await product.refresh();
    await product.preview({ args: ["--expect-no-changes"] });
  });
});

describe("deployments that a program declares and a client of strangers fills", () => {
  const shells = {
    search: {
      source: "internal_source",
      sourceConfig: { deploymentType: "dev" },
      sourceRevisionConfig: { graphConfigPath: "langgraph.json" },
    },
    translate: { source: "internal_container", sourceConfig: { deploymentType: "dev" } },
  };
  const product = useStack(declaring(shells));
  const client = useClient(newest, product);

  it("are found by the client, and what it uploads, pushes and sets is no difference for the program", async () => {
    await product.up();
    client().setEnvironment(secrets);
    const said = await Promise.all([
      client().deploy("--no-input", "--name", "search", "--remote"),
      client().deploy("--no-input", "--name", "translate", "--image", "translate:1"),
    ]);
    for (const words of said) expect(words).toContain("Found existing deployment");
    await product.refresh();
    expect((await product.up({ args: ["--expect-no-changes"] })).requests).toEqual([]);
    const filled = product.emulator.deployments().map((deployment) => deployment.source_revision_config);
    // Both are created at the same time.
    expect(filled).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ source_tarball_path: expect.stringContaining("/") }),
        expect.objectContaining({ image_uri: expect.stringContaining("translate@sha256:") }),
      ]),
    );
  });
});
