import { describe, expect, it } from "vitest";
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
