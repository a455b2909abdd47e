/** Secrets of a manifest, and in the logs of the engine and of the service. */
import { describe, expect, it } from "vitest";
import { canary, expectNoTrace, headerCanary, tracesIn } from "../support/canary";
import { useProduct } from "./support";

const canaries = {
  apiKey: headerCanary("apiKey"),
  config: canary("config"),
  environment: canary("environment"),
};

describe("a secret of a manifest", () => {
  const manifest = `version: 1
deployments:
  chat:
    source: external_container
    sourceConfig: { customUrl: "https://\${config.value}" }
    sourceRevisionConfig: { imageUri: registry.example.com/chat:1 }
    secrets:
      CONFIG: \${config.value}
      MIXED: "before \${config.value} after"
      ENVIRONMENT: \${env.REGION_TOKEN}
    secretReferences: { DB_URL: { secretName: chat-db, secretKey: url } }
`;
  const product = useProduct({
    emulator: { apiKey: canaries.apiKey },
    config: {
      "deployment-service:apiKey": { secret: canaries.apiKey },
      "program:value": { secret: canaries.config },
    },
    env: {
      DEPLOYMENT_SERVICE_API_KEY: "",
      DEPLOYMENT_SERVICE_LOG: "debug",
      REGION_TOKEN: canaries.environment,
    },
    program: {
      "index.js": `module.exports = require("pulumi-deployment-service").fromManifest("deployments.yaml");`,
      "deployments.yaml": manifest,
    },
  });

  it("reaches the service and no other place", async () => {
    expectNoTrace((await product.preview({ diff: true })).output, canaries);
    const up = await product.up({ diff: true });
    expectNoTrace(up.output, canaries);
    expectNoTrace(product.stack.stateText(), canaries);
    expectNoTrace((await product.run(["stack", "output", "--json"])).output, canaries);
    expect(product.emulator.deployment("chat")?.secrets).toEqual(
      expect.arrayContaining([
        { name: "CONFIG", value: canaries.config },
        { name: "ENVIRONMENT", value: canaries.environment },
        { name: "MIXED", value: `before ${canaries.config} after` },
      ]),
    );
    // References are names, which are shown.
    expect(up.output).toContain('secretName: "chat-db"');
  });

  it("is in no line of ours, however much the engine logs (K29)", async () => {
    const verbose = ["--logtostderr", "--logflow", "--skip-preview", "--yes"];
    expectNoTrace((await product.run(["refresh", ...verbose, "-v=8"])).output, canaries);
    product.emulator.change("chat", (record) => {
      record.source_config["custom_url"] = "https://elsewhere.example.com";
    });
    const { output } = await product.run(["up", "--refresh", ...verbose, "-v=11"]);
    const ofEngine = /arshaling property for RPC\[|RegisterResource RPC finished:|eventSink::Debug\(/;
    const [engine, ours] = [true, false].map((is) =>
      output
        .split("\n")
        .filter((line) => ofEngine.test(line) === is)
        .join("\n"),
    );
    // From this level on, the engine logs what it sends to any provider (see SECURITY.md).
    expect(tracesIn(engine!, canaries)).not.toEqual([]);
    expect(ours).toContain("PATCH /v2/deployments/");
    expectNoTrace(ours!, canaries);
  });
});
