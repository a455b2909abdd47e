import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmulator, type Emulator } from "../../emulator";
import { declaring, program, useProduct } from "./support";

const args = { source: "internal_source" };

describe("two connections in one program", () => {
  let eu: Emulator;
  beforeAll(async () => {
    eu = await startEmulator({ apiKey: "eu-key", tenantId: "11111111-0000-4000-8000-000000000001" });
  });
  afterAll(() => eu.close());
  const product = useProduct({
    program: program(""),
    emulator: { apiKey: "us-key" },
    config: { "program:euKey": { secret: "eu-key" } },
  });
  const chats = () =>
    program(`
const config = new pulumi.Config();
const eu = new Provider("eu", {
  baseUrl: "${eu.url}",
  apiKey: config.requireSecret("euKey"),
  tenantId: "11111111-0000-4000-8000-000000000001",
});
new Deployment("chat-us", { source: "internal_source", name: "chat" });
new Deployment("chat-eu", { source: "internal_source", name: "chat" }, { provider: eu });`);

  it("reach their own services with their own keys (K07, K12, K15)", async () => {
    product.stack.write(chats());
    await product.up();
    for (const emulator of [eu, product.emulator]) {
      expect(emulator.deployments().map(({ name }) => name)).toEqual(["chat"]);
    }
    const tenants = ({ requests }: Emulator) =>
      new Set(requests().map(({ headers }) => headers["x-tenant-id"]));
    expect(tenants(eu)).toEqual(new Set(["11111111-0000-4000-8000-000000000001"]));
    expect(tenants(product.emulator)).toEqual(new Set([undefined]));
    for (const key of ["eu-key", "us-key"]) expect(product.stack.stateText()).not.toContain(key);
  });

  it("are refreshed and destroyed without the program (K16)", async () => {
    eu.clearRequests();
    const { requests } = await product.refresh({ args: ["--expect-no-changes"] });
    expect(requests).toEqual(["GET /v2/deployments 200"]);
    expect(eu.requestLines()).toEqual(["GET /v2/deployments 200"]);
    await product.destroy();
    expect([...eu.deployments(), ...product.emulator.deployments()]).toEqual([]);
  });
});

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

  it("is that of the last up for refresh and destroy, and their error mentions the ways to use a new one", async () => {
    await product.run(["config", "set", "--secret", "deployment-service:apiKey", "new-key"]);
    const { output } = await product.destroy({ ...fromConfiguration, expectFailure: true });
    expect(output).toContain(
      "Check `deployment-service:apiKey`. `refresh` and `destroy` use the value of the last `pulumi up`: to use a " +
        "new one, add `--run-program`, or set DEPLOYMENT_SERVICE_API_KEY.",
    );
    await product.destroy({ ...fromConfiguration, args: ["--run-program"] });
    expect(product.emulator.deployments()).toEqual([]);
  });
});
