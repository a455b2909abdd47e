/** A key that sees nothing: what it does not show is deleted where it is the right key, and refused where it may be the wrong one. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmulator, type Emulator } from "../../emulator";
import { packaged } from "./plugin-support";
import { declaring, useProduct } from "./support";

const otherKey = "key-of-another-tenant";
const otherTenant = "00000000-0000-4000-8000-00000000000b";
const container = (name: string, tag = 1) => ({
  name,
  source: "external_container",
  sourceRevisionConfig: { imageUri: `registry.example.com/app:${tag}` },
});
const both = { chat: container("chat"), search: container("search") };

const urn = (name: string) =>
  `urn:pulumi:dev::program::pulumi-nodejs:dynamic/deployment-service:Deployment::${name}`;

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

// Nothing else is in the tenant, so nothing that the key sees tells whose it is.
describe.each([
  ["the dynamic provider", declaring],
  ["the packaged provider", packaged],
])("with the key that made it, in an otherwise empty tenant: %s", (_name, programOf) => {
  const product = useProduct({ program: programOf(both) });
  const removeAll = () => product.emulator.deployments().forEach(({ id }) => product.emulator.remove(id));
  const held = () => product.stack.state().resources.filter(({ type }) => type.includes("Deployment"));

  it("two deployments that were deleted by hand leave the state by a refresh and by a destroy, and come back by an up", async () => {
    await product.up();
    removeAll();
    await product.refresh();
    expect(held()).toEqual([]);
    await product.up();
    removeAll();
    await product.up({ args: ["--refresh"] });
    expect(product.emulator.deployments()).toHaveLength(2);
    removeAll();
    await product.destroy();
    expect(held()).toEqual([]);
  });
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

describe("a new address, where the deployment is no more", () => {
  const product = useProduct({ program: declaring(both) });
  let other: Emulator;
  beforeAll(async () => {
    other = await startEmulator();
  });
  afterAll(() => other.close());

  it("is refused, and `pulumi state delete` is the way out that it names", async () => {
    await product.up();
    product.emulator.remove("chat");
    const env = { DEPLOYMENT_SERVICE_URL: product.emulator.url.replace("127.0.0.1", "localhost") };
    const { screen } = await product.refresh({ env, expectFailure: true });
    expect(screen).toContain("If the deployment no longer exists, run `pulumi state delete`");
    await product.run(["state", "delete", urn("chat"), "--yes"]);
    await product.refresh({ env });
    expect((await product.preview({ env })).screen).toContain("1 to create");
    await product.destroy({ env });
    expect(product.emulator.deployments()).toEqual([]);
  });
});
