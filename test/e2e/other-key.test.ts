/** A key that sees nothing: what it does not show is deleted where it is the right key, and refused where it may be the wrong one. */
import { describe, expect, it } from "vitest";
import { declaring, useProduct } from "./support";

const otherKey = "key-of-another-tenant";
const otherTenant = "00000000-0000-4000-8000-00000000000b";
const container = (name: string, tag = 1) => ({
  name,
  source: "external_container",
  sourceRevisionConfig: { imageUri: `registry.example.com/app:${tag}` },
});
const both = { chat: container("chat"), search: container("search") };

describe("a key of another tenant, with one operation at a time", () => {
  const product = useProduct({
    program: declaring(both),
    emulator: { otherTenants: { [otherKey]: otherTenant } },
    parallel: 1,
  });
  const env = { DEPLOYMENT_SERVICE_API_KEY: otherKey };
  const everywhere = () => [
    ...product.emulator.deployments(),
    ...product.emulator.tenant(otherKey).deployments(),
  ];

  it.each(["refresh", "destroy"] as const)(
    "a %s forgets nothing, and names the ways out",
    async (command) => {
      await product.up();
      const { output, screen } = await product[command]({ env, expectFailure: true });
      const { tenantId } = product.stack.resource("chat").outputs!;
      expect(screen).toContain(
        "and it is not the key that created the deployment: nothing was changed. Use the right key",
      );
      expect(output).toContain(`set \`deployment-service:tenantId\` to ${String(tenantId)}`);
      expect(screen).toContain("run `pulumi state delete`");
      expect((await product.preview()).screen).toContain("3 unchanged");
      expect(everywhere()).toHaveLength(2);
    },
  );
});

describe("with another key, in an otherwise empty tenant", () => {
  const tenantId = "00000000-0000-4000-8000-000000000001";
  const product = useProduct({ program: declaring(both), emulator: { otherTenants: { rotated: tenantId } } });
  const env = { DEPLOYMENT_SERVICE_API_KEY: "rotated" };

  it("what was deleted by hand leaves the state once the connection is set to its tenant", async () => {
    await product.up();
    for (const name of ["chat", "search"]) product.emulator.remove(name);
    const { output } = await product.refresh({ env, expectFailure: true });
    expect(output).toContain(`set \`deployment-service:tenantId\` to ${tenantId}`);
    await product.refresh({ env: { ...env, DEPLOYMENT_SERVICE_TENANT_ID: tenantId } });
    expect((await product.preview()).screen).toContain("2 to create");
  });
});
