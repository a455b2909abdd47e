/** Runs with `--target`, and resources that are renamed with an alias: no deployment is deleted or created twice. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmulator, type Emulator } from "../../emulator";
import { declaring, program, useProduct } from "../e2e/support";

const chat = {
  name: "chat",
  source: "external_container",
  sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
};
const adopted = { ...chat, adopt: true };
const urn = (name: string) =>
  `urn:pulumi:dev::program::pulumi-nodejs:dynamic/deployment-service:Deployment::${name}`;
const target = (name: string) => ({ args: ["--target", urn(name)] });

describe("a resource that took a deployment over while its former name stays in the state", () => {
  const product = useProduct({ program: declaring({ old: chat }) });
  const alive = () => product.emulator.deployments().map(({ name }) => name);
  const held = () => product.stack.state().resources.flatMap(({ urn: each }) => each.split("::").at(-1)!);

  it("keeps it in a later run of the whole program, which takes the former name out of the state", async () => {
    await product.up();
    product.stack.write(declaring({ new: adopted }));
    await product.up(target("new"));
    expect(held()).toEqual(expect.arrayContaining(["old", "new"]));
    const { screen, writes } = await product.up();
    expect(writes).toEqual([]);
    expect(screen).toContain('it now belongs to the resource "new"');
    expect(held()).not.toContain("old");
    expect(alive()).toEqual(["chat"]);
  });

  it("deletes it when `destroy` runs the program, also under an alias", async () => {
    product.stack.write(
      program(`new Deployment("newest", ${JSON.stringify(adopted)}, { aliases: [{ name: "new" }] });`),
    );
    expect((await product.up()).writes).toEqual([]);
    await product.destroy({ args: ["--run-program"] });
    expect(alive()).toEqual([]);
  });
});

describe("a provider under another name, with an alias", () => {
  const product = useProduct({ program: declaring({}), keeps: "everything" });
  let eu: Emulator;
  beforeAll(async () => {
    eu = await startEmulator();
  });
  afterAll(() => eu.close());

  const through = (name: string, address: string, aliases = "[]") =>
    program(
      `const service = new Provider("${name}", { baseUrl: "${address}", pollInterval: "100ms" }, { aliases: ${aliases} });
       new Deployment("chat", ${JSON.stringify(chat)}, { provider: service });`,
    );
  const counts = () => [product.emulator.deployments().length, eu.deployments().length];

  it("is the same one: with another address it is refused, and both ways out work", async () => {
    product.stack.write(through("first", product.emulator.url));
    await product.up();
    product.stack.write(through("second", eu.url, '[{ name: "first" }]'));
    const { screen } = await product.up({ expectFailure: true });
    expect(screen).toContain("the deployment was created at");
    expect(screen).toContain("run `pulumi refresh --run-program`");
    expect(screen).toContain("first run `pulumi destroy --run-program`");
    const refreshed = await product.refresh({ args: ["--run-program"], expectFailure: true });
    expect(refreshed.screen).toContain("If the deployment no longer exists, run `pulumi state delete`");
    expect(counts()).toEqual([1, 0]);

    const renamed = product.emulator.url.replace("127.0.0.1", "localhost");
    product.stack.write(through("second", renamed, '[{ name: "first" }]'));
    await product.up({ expectFailure: true });
    await product.refresh({ args: ["--run-program"] });
    expect((await product.up()).writes).toEqual([]);
    expect((await product.preview()).screen).toContain("unchanged");
  });

  it("is another one if the former name comes back", async () => {
    product.stack.write(through("first", eu.url));
    expect((await product.preview()).screen).toContain("chat: replaces the deployment (provider)");
    await product.up();
    expect(counts()).toEqual([0, 1]);
    await product.destroy();
    expect(counts()).toEqual([0, 0]);
  });
});
