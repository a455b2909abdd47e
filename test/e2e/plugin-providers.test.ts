/** A connection of the packaged provider that depends on another resource. */
import { describe, expect, it } from "vitest";
import { packagedProgram } from "./plugin-support";
import { useProduct } from "./support";

const apiKey = "key-5e5a3e0pen5";
const tenantId = "00000000-0000-4000-8000-00000000000b";
const args = `{ source: "external_container", sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" } }`;

const behindGateway = (image: string) =>
  packagedProgram(`
const gateway = new Deployment("gateway", {
  source: "external_container",
  sourceRevisionConfig: { imageUri: "registry.example.com/gateway:${image}" },
});
const baseUrl = gateway.latestRevisionId.apply(() => process.env.DEPLOYMENT_SERVICE_URL);
const tenantId = pulumi.secret("${tenantId}");
const provider = new Provider("behind", { baseUrl, tenantId, apiKey: pulumi.secret("${apiKey}"), pollInterval: "100ms" });
new Deployment("chat", ${args}, { provider });`);

describe("a provider with an address that is not known before another resource is created", () => {
  const product = useProduct({
    program: behindGateway("1"),
    emulator: { apiKey, tenantId },
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
