/** An image for the user's own cluster. The error shows lines to paste, and they work. */
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

  it("are refused with the two lines to paste, which work", async () => {
    const { output } = await product.up({ args: ["--continue-on-error"], expectFailure: true });
    const advice = "There is only one, with one namespace. Add to `sourceConfig`:";
    expect(output.split(advice).length).toBeGreaterThan(2);
    const lines = /^.*listenerId: .*\n.*listenerConfig: .*$/m.exec(output)?.[0] ?? "";
    expect(lines).toContain(`listenerId: "${listener}",`);
    expect(lines).toContain('listenerConfig: { k8sNamespace: "agents" },');
    product.stack.write(declaring(lines));
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
