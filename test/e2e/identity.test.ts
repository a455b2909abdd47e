/** A live deployment is never lost: not by a rename, not by a wrong setting, not through another connection. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmulator, type Emulator } from "../../emulator";
import { declaring, program, useProduct } from "./support";

const chat = {
  name: "chat",
  source: "external_container",
  sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
};
const adopted = { ...chat, adopt: true };
const urn = (name: string) =>
  `urn:pulumi:dev::program::pulumi-nodejs:dynamic/deployment-service:Deployment::${name}`;

describe("a run that takes a deployment over", () => {
  const product = useProduct({ program: declaring({ old: chat }) });
  const alive = () => product.emulator.deployments().map(({ name }) => name);

  it("does not delete it under the old name of the resource", async () => {
    await product.up();
    const { id } = product.stack.resource("old");
    product.stack.write(declaring({ new: adopted }));
    const { screen, writes } = await product.up();
    expect(writes).toEqual([]);
    expect(screen).toContain(
      `chat: the deployment <id> is not deleted, because it now belongs to the resource "new". Only the old resource is ` +
        "removed from the state",
    );
    expect(alive()).toEqual(["chat"]);
    expect(product.stack.resource("new").id).toBe(id);
    expect((await product.preview()).screen).toContain("2 unchanged");
  });

  it("nor where the engine replaces it by its own decision", async () => {
    const { writes } = await product.up({ args: ["--replace", urn("new")] });
    expect(writes).toEqual([]);
    await product.run(["state", "taint", urn("new"), "--yes"]);
    expect((await product.up()).writes).toEqual([]);
    expect(alive()).toEqual(["chat"]);
  });

  it("nor where both resources have other providers of the same service", async () => {
    const code = (name: string) =>
      `const service = new Provider(${JSON.stringify(`${name}-provider`)}, { baseUrl: process.env.DEPLOYMENT_SERVICE_URL });
       new Deployment("${name}", ${JSON.stringify(adopted)}, { provider: service });`;
    product.stack.write(program(code("third")));
    expect((await product.up()).writes).toEqual([]);
    expect(alive()).toEqual(["chat"]);
  });

  it("deletes it where the option says that it goes first, and where it is destroyed", async () => {
    product.stack.write(
      program(`new Deployment("third", ${JSON.stringify(chat)}, { deleteBeforeReplace: true });`),
    );
    await product.up();
    const { writes } = await product.up({ args: ["--replace", urn("third")] });
    expect(writes.map(({ method }) => method)).toEqual(["DELETE", "POST"]);
    await product.destroy();
    expect(alive()).toEqual([]);
  });
});

describe("a deployment of one provider", () => {
  const product = useProduct({ program: declaring({}) });
  let eu: Emulator;
  beforeAll(async () => {
    eu = await startEmulator();
  });
  afterAll(() => eu.close());

  const at = (provider: string, address: string, more = "") =>
    program(
      `const options = { pollInterval: "100ms" };
       const ${provider} = new Provider("${provider}", { ...options, baseUrl: "${address}" });${more}
       new Deployment("chat", ${JSON.stringify(chat)}, { provider: ${provider} });`,
    );

  it("is created at another one and deleted where it was, when the program moves it", async () => {
    product.stack.write(at("us", product.emulator.url));
    await product.up();
    product.stack.write(at("eu", eu.url));
    expect((await product.preview()).screen).toContain("chat: replaces the deployment (provider)");
    await product.up();
    expect([product.emulator.deployments().length, eu.deployments().length]).toEqual([0, 1]);
    expect((await product.preview()).screen).toContain("unchanged");
  });

  it("is left alone where its provider gets another address, until a refresh finds it there", async () => {
    product.stack.write(at("eu", product.emulator.url));
    const { screen } = await product.up({ expectFailure: true });
    expect(screen).toContain("the deployment was created at http://");
    expect(screen).toContain("run `pulumi refresh --run-program`");
    expect(screen).toContain("first run `pulumi destroy --run-program`");
    await product.refresh({ args: ["--run-program"], expectFailure: true });
    expect([product.emulator.deployments().length, eu.deployments().length]).toEqual([0, 1]);

    const renamed = eu.url.replace("127.0.0.1", "localhost");
    product.stack.write(at("eu", renamed));
    await product.up({ expectFailure: true });
    await product.refresh({ args: ["--run-program"] });
    const { writes } = await product.up();
    expect(writes).toEqual([]);
    await product.destroy();
    expect(eu.deployments()).toEqual([]);
  });
});

describe.skipIf(process.platform === "win32")("claims that the processes of a run share", () => {
  const temporary = mkdtempSync(join(tmpdir(), "claims-"));
  afterAll(() => rmSync(temporary, { recursive: true }));
  const shared = join(temporary, `pulumi-deployment-service-${process.getuid?.()}`);
  const product = useProduct({
    program: declaring({ old: chat }),
    keeps: "nothing",
    env: { TMPDIR: temporary },
  });

  it("are removed when the run is over", async () => {
    await product.up();
    product.stack.write(declaring({ new: adopted }));
    expect((await product.up()).writes).toEqual([]);
    expect(readdirSync(shared)).toEqual([]);
  });
});

describe("a deployment that is only read", () => {
  const product = useProduct({ program: declaring({}) });

  it("has to be there, and its id may be in either letter case", async () => {
    const id = "6f0e6c1a-0000-4000-8000-00000000000a";
    const get = (wanted: string) =>
      program(`module.exports = { status: Deployment.get("found", "${wanted}").status };`);
    product.stack.write(get(id));
    const { screen } = await product.up({ expectFailure: true });
    expect(screen).toContain("the service has no deployment with the id");
    const made = product.emulator.create({
      name: "found",
      source: "external_container",
      source_config: {},
      source_revision_config: { image_uri: "registry.example.com/chat:1" },
      secrets: [],
    });
    product.stack.write(get(made.id.toUpperCase()));
    expect((await product.up()).screen).toContain("READY");
  });
});

describe("the resource option `import`", () => {
  const product = useProduct({
    program: program(
      `new Deployment("chat", ${JSON.stringify(chat)}, { import: "6f0e6c1a-0000-4000-8000-00000000000a" });`,
    ),
  });

  it("fails before anything is sent, and says what does work", async () => {
    const { output, screen, requests } = await product.up({ expectFailure: true });
    expect(requests).toEqual([]);
    expect(screen).toContain(
      "chat: the resource option `import` does not work with a dynamic provider. Bring the deployment in with " +
        "`deployment-service import` and `pulumi import --file`, take it over with `adopt: true`, or use the packaged provider",
    );
    expect(output).not.toContain("TypeError");
  });
});
