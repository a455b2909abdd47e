/** A key that sees nothing, or an address where nothing is: what is not shown there is not taken as deleted. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmulator, type Emulator } from "../../emulator";
import { declaring, useProduct } from "./support";

const otherKey = "key-of-another-tenant";
const otherTenant = "00000000-0000-4000-8000-00000000000b";
const container = (name: string, tag = 1) => ({
  name,
  source: "external_container",
  sourceRevisionConfig: { imageUri: `registry.example.com/app:${tag}` },
});
const allDeleted = { DEPLOYMENT_SERVICE_ALL_DELETED: "true" };

const urn = (name: string) =>
  `urn:pulumi:dev::program::pulumi-nodejs:dynamic/deployment-service:Deployment::${name}`;

describe("a key of another tenant, with one operation at a time", () => {
  const product = useProduct({
    program: declaring({ chat: container("chat"), search: container("search") }),
    emulator: { otherTenants: { [otherKey]: otherTenant } },
    parallel: 1,
  });
  const env = { DEPLOYMENT_SERVICE_API_KEY: otherKey };
  const everywhere = () => [
    ...product.emulator.deployments(),
    ...product.emulator.tenant(otherKey).deployments(),
  ];

  it.each(["refresh", "destroy"] as const)(
    "a %s forgets nothing, and names two ways out",
    async (command) => {
      await product.up();
      const { screen } = await product[command]({ env, expectFailure: true });
      expect(screen).toContain("was made with another API key, so it is not taken as deleted");
      expect(screen).toContain("Use the right key, or set `deployment-service:tenantId`");
      expect(screen).toContain("DEPLOYMENT_SERVICE_ALL_DELETED=true");
      expect((await product.preview()).screen).toContain("3 unchanged");
      expect(everywhere()).toHaveLength(2);
    },
  );

  it("replaces nothing, whether the new one comes after the old one or before it", async () => {
    product.stack.write(
      declaring({
        chat: { ...container("chat"), source: "internal_container" },
        search: container("search-2"),
      }),
    );
    const one = await product.up({ env, args: ["--target", urn("chat")], expectFailure: true });
    expect(one.screen).toContain("was made with another API key");
    expect(one.writes.map(({ method }) => method)).toEqual(["DELETE"]);
    const two = await product.up({ env, args: ["--target", urn("search")], expectFailure: true });
    expect(two.screen).toContain("nothing was created. Use the right key");
    expect(two.writes).toEqual([]);
    await product.up();
    expect(
      everywhere()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["chat", "search-2"]);
  });

  it("one that was really deleted leaves the state with the key that made it, and with the setting", async () => {
    product.stack.write(declaring({ chat: container("chat") }));
    await product.up();
    product.emulator.remove("chat");
    await product.refresh({ env, expectFailure: true });
    await product.refresh({ env: { ...env, ...allDeleted } });
    expect((await product.preview()).screen).toContain("1 to create");
    await product.up();
    product.emulator.remove("chat");
    await product.destroy();
  });

  it("where the same key sees nothing any more, not even the first is taken as deleted", async () => {
    product.stack.write(declaring({ chat: container("chat"), search: container("search") }));
    await product.up();
    for (const name of ["chat", "search"]) product.emulator.remove(name);
    const { screen } = await product.refresh({ expectFailure: true });
    expect(screen).toContain("the stack has or had others");
    expect((await product.preview()).screen).toContain("3 unchanged");
    await product.refresh({ env: allDeleted });
    expect((await product.preview()).screen).toContain("2 to create");
  });
});

describe("a new address, where the deployment is no more", () => {
  const product = useProduct({
    program: declaring({ chat: container("chat"), search: container("search") }),
  });
  let other: Emulator;
  beforeAll(async () => {
    other = await startEmulator();
  });
  afterAll(() => other.close());

  it("lets go of it where the setting says so, and never of one that is there", async () => {
    await product.up();
    product.emulator.remove("chat");
    const env = { DEPLOYMENT_SERVICE_URL: product.emulator.url.replace("127.0.0.1", "localhost") };
    const { screen } = await product.refresh({ env, expectFailure: true });
    expect(screen).toContain("DEPLOYMENT_SERVICE_ALL_DELETED=true");
    await product.refresh({ env: { ...env, ...allDeleted } });
    expect((await product.preview({ env })).screen).toContain("1 to create");
    await product.destroy({ env });
    expect(product.emulator.deployments()).toEqual([]);
    await product.refresh({ env: allDeleted });
  });

  it("nor does a destroy there send a deletion before it has looked", async () => {
    await product.up();
    product.emulator.remove("chat");
    const env = { DEPLOYMENT_SERVICE_URL: other.url };
    expect((await product.destroy({ env, expectFailure: true })).requests).toEqual([]);
    other.clearRequests();
    await product.destroy({ env: { ...env, ...allDeleted } });
    expect(other.requests().map(({ method }) => method)).not.toContain("DELETE");
    expect(product.emulator.deployments().map(({ name }) => name)).toEqual(["search"]);
  });
});
