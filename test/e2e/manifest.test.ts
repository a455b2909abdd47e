import { describe, expect, it } from "vitest";
import { canary, expectNoTrace } from "../support/canary";
import { useProduct } from "./support";

describe("a deployment that is renamed in its manifest", () => {
  const yaml = (deployment: string) => `version: 1
deployments:
  ${deployment}
    source: external_container
    sourceRevisionConfig: { imageUri: registry.example.com/chat:1 }
`;
  const product = useProduct({
    program: {
      "index.js": `exports.all = require("pulumi-deployment-service").fromManifest("deployments.yaml");`,
      "deployments.yaml": yaml("chat:"),
    },
  });

  it("stays the same resource by its former key, and by its whole URN", async () => {
    await product.up();
    const { id } = product.stack.resource("chat");
    const urn = "urn:pulumi:${stack}::${project}::pulumi-nodejs:dynamic/deployment-service:Deployment::talk";
    for (const [key, alias] of [
      ["talk", "chat"],
      ["assistant", urn],
    ] as const) {
      const renamed = yaml(`${key}:\n    name: chat\n    options: { aliases: ["${alias}"] }`);
      product.stack.write({ "deployments.yaml": renamed });
      const { writes } = await product.up({ args: ["--expect-no-changes"] });
      expect(writes).toEqual([]);
      expect(product.stack.resource(key).id).toBe(id);
    }
  });
});

describe("a manifest of values that are secret or not there", () => {
  const yaml = (version: string) => `version: 1
deployments:
  chat:
    source: external_container
    sourceConfig: { installCommand: "echo \${config.token}" }
    sourceRevisionConfig: { imageUri: registry.example.com/chat:1 }
    secrets: { SEARCH: "${version}", MIXED: "before \${config.token} after", ENVIRONMENT: "\${env.REGION_TOKEN}" }
    options: { protect: "\${config.protect}" }
  search:
    source: external_container
    sourceRevisionConfig: { imageUri: registry.example.com/search:1 }
`;
  const [missing, there] = [yaml("v${deployments.search.repoCommitSha}"), yaml("${deployments.search.url}")];
  const canaries = { token: canary("token"), environment: canary("environment") };
  const product = useProduct({
    config: { token: { secret: canaries.token }, protect: { secret: "true" } },
    env: { REGION_TOKEN: canaries.environment },
    keeps: "provider",
    program: {
      "index.js": `exports.all = require("pulumi-deployment-service").fromManifest("deployments.yaml");`,
      "deployments.yaml": missing,
    },
  });
  const chat = () => product.stack.resource("chat") as unknown as { protect?: boolean };
  it("fails where an output is null, with its place, and makes nothing of it", async () => {
    const { output, writes } = await product.up({ expectFailure: true });
    expect(output).toContain("deployments.yaml:7:24: ${deployments.search.repoCommitSha} is null");
    expect(output).not.toMatch(/^\s+at /m);
    expect(writes).toMatchObject([{ body: { name: "search" } }]);
    expect(output.match(/is null/g)!.length).toBeLessThanOrEqual(2);
  });

  it("takes an option from a secret, and keeps secret what is secret in the configuration", async () => {
    product.stack.write({ "deployments.yaml": there });
    const { output } = await product.up({ diff: true });
    expect(chat().protect).toBe(true);
    expectNoTrace(output + product.stack.stateText(), canaries);
    expect(product.emulator.deployment("chat")?.secrets).toEqual(
      expect.arrayContaining([
        { name: "ENVIRONMENT", value: canaries.environment },
        { name: "MIXED", value: `before ${canaries.token} after` },
      ]),
    );
  });
});
