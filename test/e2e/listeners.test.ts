/** An image for a cluster of one's own: the refusal shows what to paste, and pasted it works. */
import { describe, expect, it } from "vitest";
import { langsmith } from "../../emulator";
import { packagedProgram } from "./plugin-support";
import { program as plain, useProduct } from "./support";

const listener = "22222222-2222-4222-8222-222222222222";
const args = (listenerConfig: string) => `{
  source: "external_container",
  sourceConfig: {
    resourceSpec: {},
${listenerConfig}
  },
  sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
}`;
const packaged = (lines: string) =>
  packagedProgram(`new Deployment("chat", ${args(lines)}); module.exports = {};`);
const dynamic = (lines: string) => plain(`new Deployment("chat", ${args(lines)});`);

describe.each([
  ["dynamic", dynamic],
  ["packaged", packaged],
])("a deployment of the %s provider that names no listener", (_adapter, program) => {
  const product = useProduct({
    program: program(""),
    emulator: { rules: langsmith, seed: { listeners: { [listener]: ["agents"] } } },
    env: { DEPLOYMENT_SERVICE_DIALECT: "langsmith" },
  });

  it("is refused with the two lines to paste, which work (11.15)", async () => {
    const { output } = await product.up({ expectFailure: true });
    const lines = /^.*listenerId: .*\n.*listenerConfig: .*$/m.exec(output)?.[0] ?? "";
    expect(output).toContain("There is only one, with one namespace. Add to `sourceConfig`:");
    expect(lines).toContain(`listenerId: "${listener}",`);
    expect(lines).toContain('listenerConfig: { k8sNamespace: "agents" },');
    product.stack.write(program(lines));
    await product.up();
    expect(product.emulator.deployment("chat")?.source_config).toMatchObject({ listener_id: listener });
    const { dashboardUrl, tenantId, id } = { ...product.stack.resource("chat").outputs } as Record<
      string,
      string
    >;
    expect(dashboardUrl).toMatch(new RegExp(`/o/${tenantId}/host/deployments/${id ?? ""}`));
  });
});
