/** An image for the user's own cluster. The error lists the listeners, and what it says works. */
import { describe, expect, it } from "vitest";
import { langsmith } from "../../emulator";
import { programOfBoth } from "./plugin-support";
import { useProduct } from "./support";

const listener = "22222222-2222-4222-8222-222222222222";
const args = (listenerConfig: string) => `{
  source: "external_container",
  sourceConfig: {
    resourceSpec: {},
${listenerConfig}
  },
  sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
}`;
/** The same deployment with both providers. */
const declaring = (lines: string) =>
  programOfBoth(
    ["dynamic", "packaged"]
      .map((adapter) => `new ${adapter}.Deployment("${adapter}", ${args(lines)});`)
      .join("\n"),
  );

describe("deployments that name no listener", () => {
  const product = useProduct({
    program: declaring(""),
    emulator: { rules: langsmith, seed: { listeners: { [listener]: ["agents"] } } },
    env: { DEPLOYMENT_SERVICE_DIALECT: "langsmith" },
  });

  it("are refused with the listeners and their namespaces to choose from, which work", async () => {
    const { output } = await product.up({ args: ["--continue-on-error"], expectFailure: true });
    const choice = /To choose from: (\S+) \(cluster-1: (\w+)\)\./.exec(output.replaceAll(/\s+/g, " "));
    expect(choice?.slice(1)).toEqual([listener, "agents"]);
    product.stack.write(
      declaring(`listenerId: "${choice![1]}", listenerConfig: { k8sNamespace: "${choice![2]}" },`),
    );
    await product.up();
    for (const name of ["dynamic", "packaged"]) {
      expect(product.emulator.deployment(name)?.source_config).toMatchObject({ listener_id: listener });
      const { id, outputs } = product.stack.resource(name);
      expect(outputs?.["dashboardUrl"]).toMatch(
        new RegExp(`/o/${String(outputs?.["tenantId"])}/host/deployments/${id}`),
      );
    }
  });
});
