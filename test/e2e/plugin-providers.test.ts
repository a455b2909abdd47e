/** Connections of the packaged provider, by the stack's configuration and by explicit providers, for resources and functions. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmulator, type Emulator } from "../../emulator";
import { canary, expectNoTrace } from "../support/canary";
import { packagedProgram } from "./plugin-support";
import { useProduct } from "./support";
import { repositoryOf } from "../support/repository";

const canaries = { key: "key-5e5a3e0pen5", euKey: "eu-key-5e5a3e0pen5", environment: canary("environment") };
const integrationId = "6f0e6c1a-1f0b-4c53-9c3e-3f1c9a0d2b11";
const tenantId = "00000000-0000-4000-8000-00000000000b";
const args = `{ source: "external_container", sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" } }`;

const twoServices = packagedProgram(`
const eu = new Provider("eu", { baseUrl: process.env.EU_URL, apiKey: pulumi.secret(process.env.EU_KEY) });
const chat = new Deployment("chat", ${args}, process.env.MOVED ? { provider: eu } : {});
const euChat = new Deployment("eu-chat", ${args}, { provider: eu });
const all = invoke("listDeployments", { nameContains: "app", status: null });
module.exports = {
  found: invoke("getDeployment", { name: "app" }),
  count: pulumi.unsecret(all.deployments.length),
  all,
  repository: invoke("listRepositories", { integrationId: "${integrationId}" }).repositories[0],
  eu: pulumi.unsecret(invoke("listDeployments", {}, { provider: eu }).deployments).apply((list) => list.length),
};`);

describe("the configuration of the packaged provider", () => {
  let eu: Emulator;
  let env: Record<string, string>;
  const product = useProduct({
    program: twoServices,
    emulator: { apiKey: canaries.key, secrets: "clear" },
    env: { DEPLOYMENT_SERVICE_URL: "", DEPLOYMENT_SERVICE_API_KEY: "" },
  });

  beforeAll(async () => {
    eu = await startEmulator({ apiKey: canaries.euKey });
    env = { EU_URL: eu.url, EU_KEY: canaries.euKey };
    product.emulator.create({
      name: "app",
      source: "internal_template",
      source_config: {},
      source_revision_config: {},
      secrets: [{ name: "KEY", value: canaries.environment }],
    });
    product.emulator.repositories(integrationId, [repositoryOf(integrationId)]);
  });
  afterAll(() => eu.close());

  it("reaches each service with its own key, by resources and by functions", async () => {
    await product.stack.setAllConfig({
      "deployment-service:baseUrl": product.emulator.url,
      "deployment-service:apiKey": { secret: canaries.key },
      "deployment-service:pollInterval": "100ms",
    });
    await product.up({ env });
    expect(product.emulator.deployment("chat")).toBeDefined();
    expect(eu.deployments().map(({ name }) => name)).toEqual(["eu-chat"]);
    const [stack] = product.stack.state().resources;
    expect(stack?.outputs).toMatchObject({
      found: { ciphertext: expect.any(String) },
      count: 1,
      all: { ciphertext: expect.any(String) },
      repository: { hostIntegrationId: integrationId, id: 7, defaultBranch: "trunk" },
      eu: expect.any(Number),
    });
    expectNoTrace(product.stack.stateText(), canaries);
  });
});

const behindGateway = (image: string) =>
  packagedProgram(`
const gateway = new Deployment("gateway", {
  source: "external_container",
  sourceRevisionConfig: { imageUri: "registry.example.com/gateway:${image}" },
});
const baseUrl = gateway.latestRevisionId.apply(() => process.env.DEPLOYMENT_SERVICE_URL);
const tenantId = pulumi.secret("${tenantId}");
const provider = new Provider("behind", { baseUrl, tenantId, apiKey: pulumi.secret("${canaries.key}"), pollInterval: "100ms" });
new Deployment("chat", ${args}, { provider });`);

describe("a provider with an address that is not known before another resource is created", () => {
  const product = useProduct({
    program: behindGateway("1"),
    emulator: { apiKey: canaries.key, tenantId },
    env: { DEPLOYMENT_SERVICE_TENANT_ID: tenantId },
  });

  it("passes in the preview, is connected then, and has its secret settings sealed in the state (K17)", async () => {
    const { requests } = await product.preview();
    expect(requests).toEqual([]);
    const { writes } = await product.up();
    expect(writes.map(({ method }) => method)).toEqual(["POST", "POST"]);
    const { inputs } = product.stack.resource("behind");
    expect(inputs).toMatchObject({
      baseUrl: product.emulator.url,
      apiKey: { ciphertext: expect.any(String) },
      tenantId: { ciphertext: expect.any(String) },
    });
  });

  it("changes nothing of what it has when it was not known again for a preview", async () => {
    product.stack.write(behindGateway("2"));
    await product.preview();
    const { writes } = await product.up();
    expect(writes.map(({ method }) => method)).toEqual(["PATCH"]);
    await product.destroy();
    expect(product.emulator.deployments()).toEqual([]);
  });
});
