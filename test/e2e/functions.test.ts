import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmulator, type Emulator } from "../../emulator";
import { programOfBoth } from "./plugin-support";
import { connectionTo, useProduct } from "./support";
import { repositoryOf } from "../support/repository";

const integrationId = "6f0e6c1a-1f0b-4c53-9c3e-3f1c9a0d2b11";

function populate(emulator: Emulator): void {
  for (let index = 0; index < 101; index++) {
    emulator.create({
      name: `app-${index}`,
      source: "internal_template",
      source_config: {
        resource_spec: {
          cpu: 2,
          annotations: { note: `--token=hush-annotation-${index}` },
          sidecars: [
            { name: "log", image: "log:1", env: [{ name: "LOG_API_KEY", value: `hush-log-${index}` }] },
          ],
        },
      },
      source_revision_config: {},
      secrets: [{ name: "MODEL_API_KEY", value: `hush-${index}` }],
    });
  }
  emulator.repositories(integrationId, [repositoryOf(integrationId)]);
}

const tenantId = "00000000-0000-4000-8000-0000000000ee";

/** A program that uses every function, and declares on two services; what the packaged provider has too, with both providers. */
const lookingUp = programOfBoth(`
const { Deployment, Provider, ...service } = dynamic;
const connection = { baseUrl: process.env.EU_URL, apiKey: pulumi.secret("eu-key"), tenantId: "${tenantId}" };
const chat = { source: "internal_source", name: "chat" };
module.exports = async () => {
  const repositories = await service.listRepositories({ integrationId: "${integrationId}" });
  const fromRepository = new Deployment("agent", { source: "codehost", ...service.fromRepository(repositories[0]) });
  const listed = service.listDeploymentsOutput({ nameContains: "app-" });
  const all = await service.listDeployments({ nameContains: "app-" });
  const eu = new Provider("eu", connection);
  new Deployment("chat-us", chat);
  new Deployment("chat-eu", chat, { provider: eu });
  const packagedEu = new packaged.Provider("packaged-eu", connection);
  new packaged.Deployment("packaged-eu-chat", { ...chat, name: "packaged-chat" }, { provider: packagedEu });
  const invoked = packaged.invoke("listDeployments", { nameContains: "app-", status: null });
  const inEu = packaged.invoke("listDeployments", { nameContains: "app-" }, { provider: packagedEu });
  return {
    count: all.length,
    again: listed.length,
    found: (await service.getDeployment({ name: "app-1" })).status,
    whole: service.getDeploymentOutput({ name: "app-1" }),
    first: listed[0],
    made: service.getDeploymentOutput({ id: fromRepository.id }).sourceRevisionConfig,
    eu: service.getDeploymentOutput({ name: "app-1" }, { provider: eu }).tenantId,
    invoked: pulumi.unsecret(invoked.deployments.length),
    invokedInEu: pulumi.unsecret(inEu.deployments).apply(([{ tenantId }]) => tenantId),
    invokedWhole: packaged.invoke("getDeployment", { name: "app-1" }),
    repository: packaged.invoke("listRepositories", { integrationId: "${integrationId}" }).repositories[0],
  };
};
`);

describe("lookups in a program, and two connections", () => {
  const product = useProduct({
    program: lookingUp,
    emulator: { apiKey: "us-key" },
    env: { DEPLOYMENT_SERVICE_URL: "", DEPLOYMENT_SERVICE_API_KEY: "" },
  });
  let eu: Emulator;
  let env: Record<string, string>;

  beforeAll(async () => {
    const { emulator, stack } = product;
    populate(emulator);
    eu = await startEmulator({ apiKey: "eu-key", tenantId });
    populate(eu);
    env = { EU_URL: eu.url };
    await stack.setAllConfig({
      "deployment-service:baseUrl": emulator.url,
      "deployment-service:apiKey": { secret: emulator.apiKey },
    });
  });
  afterAll(() => eu.close());

  const outputs = () => product.stack.resource("program-dev").outputs!;

  it("are answered in a preview, as far as they can be, each with its own requests", async () => {
    const { screen, requests } = await product.preview({ env });
    expect(screen).toMatch(/count *: 101/);
    expect(screen).toMatch(/whole *: \{/);
    expect(screen).not.toContain("hush");
    // Three by name, and three lists of two pages each.
    expect([...requests].sort()).toEqual([
      ...Array<string>(2).fill("GET /v1/integrations/codehost/<id>/repos 200"),
      ...Array<string>(9).fill("GET /v2/deployments 200"),
    ]);
  });

  it("feed deployments and outputs, and reach their own services with their own keys (K07, K12, K15)", async () => {
    const { writes } = await product.up({ env });
    expect(writes.find(({ body }) => (body as { name: string }).name === "agent")).toMatchObject({
      body: {
        source_config: { integration_id: integrationId, repo_url: "https://code.example.com/acme/chat" },
        source_revision_config: { repo_ref: "trunk" },
      },
    });
    expect(outputs()).toMatchObject({
      ...{ count: 101, again: 101, found: "READY", made: { repoRef: "trunk" }, eu: tenantId },
      ...{ invoked: 101, invokedInEu: tenantId },
      repository: { hostIntegrationId: integrationId, id: 7, defaultBranch: "trunk" },
    });
    expect(outputs()["whole"]).toMatchObject({ name: "app-1", status: "READY" });
    const made = ({ deployments }: Emulator) =>
      deployments().flatMap(({ name }) => (name.startsWith("app-") ? [] : [name]));
    expect(made(product.emulator).sort()).toEqual(["agent", "chat"]);
    expect(made(eu).sort()).toEqual(["chat", "packaged-chat"]);
    const tenants = ({ requests }: Emulator) =>
      new Set(requests().map(({ headers }) => headers["x-tenant-id"]));
    expect(tenants(eu)).toEqual(new Set([tenantId]));
    expect(tenants(product.emulator)).toEqual(new Set([undefined]));
  });

  it("keep secrets, and nothing else, secret in the state", () => {
    const whole = outputs()["whole"] as Record<string, object>;
    expect(whole["secrets"]).toHaveProperty("ciphertext");
    for (const { sourceConfig } of [whole, outputs()["first"] as typeof whole])
      expect(sourceConfig).toMatchObject({
        resourceSpec: {
          cpu: 2,
          annotations: { note: { ciphertext: expect.any(String) } },
          sidecars: [
            { image: "log:1", env: [{ name: "LOG_API_KEY", value: { ciphertext: expect.any(String) } }] },
          ],
        },
      });
    expect(product.stack.stateText()).not.toMatch(/hush|(eu|us)-key/);
  });

  it("are refreshed and destroyed without the program (K16)", async () => {
    eu.clearRequests();
    const { requests } = await product.refresh({ args: ["--expect-no-changes"] });
    expect(requests).toEqual(["GET /v2/deployments 200"]);
    // One for each of its providers.
    expect(eu.requestLines()).toEqual(Array(2).fill("GET /v2/deployments 200"));
    await product.destroy();
    expect([...eu.deployments(), ...product.emulator.deployments()]).toHaveLength(2 * 101);
  });
});

it("a lookup keeps no program alive", async () => {
  const emulator = await startEmulator();
  populate(emulator);
  const code = `
    require("pulumi-deployment-service").getDeployment({ name: "app-1" }).then(({ name }) => {
      console.log(name);
      process.once("beforeExit", () => console.log("ended by itself"));
      // Idle sockets would close after 4 seconds.
      setTimeout(() => { console.log("still alive"); process.exit(1); }, 2000).unref();
    });`;
  const child = spawn(process.execPath, ["-e", code], {
    cwd: "examples/01-hello",
    env: { PATH: process.env["PATH"], ...connectionTo(emulator) },
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await once(child, "close");
  await emulator.close();
  expect(output).toBe("app-1\nended by itself\n");
});
