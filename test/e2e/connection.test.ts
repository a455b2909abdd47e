import { describe, expect, it } from "vitest";
import { packagedProgram } from "./plugin-support";
import { declaring, useProduct } from "./support";

const args = { source: "internal_source" };

describe("a key that has moved from the environment into the configuration", () => {
  const product = useProduct({ program: declaring({ chat: args }) });
  const withoutKey = { env: { DEPLOYMENT_SERVICE_API_KEY: "" } };

  it("is unknown to a refresh without the program, whose error mentions `--run-program`", async () => {
    await product.up();
    const { apiKey } = product.emulator;
    await product.run(["config", "set", "--secret", "deployment-service:apiKey", apiKey]);
    const { output } = await product.refresh({ ...withoutKey, expectFailure: true });
    expect(output).toContain("deployment-service:apiKey is not set");
    expect(output).toContain(
      "`refresh` and `destroy` use the settings of the last `pulumi up`: if you have set them since, add `--run-program`",
    );
    await product.refresh({ ...withoutKey, args: ["--run-program"] });
  });
});

describe("a key from the configuration", () => {
  const product = useProduct({
    program: declaring({ chat: args }),
    emulator: { apiKey: "new-key" },
    config: { "deployment-service:apiKey": { secret: "old-key" } },
    env: { DEPLOYMENT_SERVICE_API_KEY: "new-key" },
  });

  const fromConfiguration = { env: { DEPLOYMENT_SERVICE_API_KEY: "" } };

  it("gives way to the environment, so that a rotated one works for a refresh (K21)", async () => {
    await product.up();
    await product.refresh();
  });

  it("is that of the last up for refresh and destroy, and their error mentions how to use a new one", async () => {
    await product.run(["config", "set", "--secret", "deployment-service:apiKey", "new-key"]);
    const { output } = await product.destroy({ ...fromConfiguration, expectFailure: true });
    expect(output).toContain(
      "Check deployment-service:apiKey. `refresh` and `destroy` use the value of the last `pulumi up`: to use a new one, " +
        "add `--run-program`.",
    );
    await product.destroy({ ...fromConfiguration, args: ["--run-program"] });
    expect(product.emulator.deployments()).toEqual([]);
  });
});

const apiKey = "key-5e5a3e0pen5";
const tenantId = "00000000-0000-4000-8000-00000000000b";

const behindGateway = (image: string) =>
  packagedProgram(`
const gateway = new Deployment("gateway", {
  source: "external_container",
  sourceRevisionConfig: { imageUri: "registry.example.com/gateway:${image}" },
});
const baseUrl = gateway.latestRevisionId.apply(() => process.env.DEPLOYMENT_SERVICE_URL);
const tenantId = pulumi.secret("${tenantId}");
const provider = new Provider("behind", { baseUrl, tenantId, apiKey: pulumi.secret("${apiKey}"), pollInterval: "100ms" });
new Deployment("chat", { source: "internal_source" }, { provider });`);

describe("a packaged provider with an address that is not known before another resource is created", () => {
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
