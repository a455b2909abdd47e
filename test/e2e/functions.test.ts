import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmulator, type Emulator } from "../../emulator";
import { connectionTo, program, useProduct } from "./support";
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

/** A program that uses every function. */
const lookingUp = program(`
const service = require("pulumi-deployment-service");
module.exports = async () => {
  const repositories = await service.listRepositories({ integrationId: "${integrationId}" });
  const chat = new Deployment("chat", { source: "codehost", ...service.fromRepository(repositories[0]) });
  const listed = service.listDeploymentsOutput({ nameContains: "app-" });
  const all = await service.listDeployments({ nameContains: "app-" });
  const eu = new Provider("eu", { baseUrl: process.env.EU_URL, apiKey: pulumi.secret("eu-key"), tenantId: "00000000-0000-4000-8000-0000000000ee" });
  return {
    count: all.length,
    again: listed.length,
    found: (await service.getDeployment({ name: "app-1" })).status,
    whole: service.getDeploymentOutput({ name: "app-1" }),
    first: listed[0],
    made: service.getDeploymentOutput({ id: chat.id }).sourceRevisionConfig,
    eu: service.getDeploymentOutput({ name: "app-1" }, { provider: eu }).tenantId,
  };
};
`);

describe("lookups in a program", () => {
  const product = useProduct({ program: lookingUp });
  let eu: Emulator;
  let env: Record<string, string>;

  beforeAll(async () => {
    const { emulator, stack } = product;
    populate(emulator);
    eu = await startEmulator({ apiKey: "eu-key", tenantId: "00000000-0000-4000-8000-0000000000ee" });
    populate(eu);
    env = { EU_URL: eu.url, DEPLOYMENT_SERVICE_URL: "", DEPLOYMENT_SERVICE_API_KEY: "" };
    await stack.setAllConfig({
      "deployment-service:baseUrl": emulator.url,
      "deployment-service:apiKey": { secret: emulator.apiKey },
    });
  });
  afterAll(() => eu.close());

  const outputs = () => product.stack.resource("program-dev").outputs!;

  it("are answered in a preview, as far as they can be, each with its own requests", async () => {
    const { screen, requests } = await product.preview({ env });
    expect(screen).toContain("count: 101");
    expect(screen).toContain("whole: {");
    expect(screen).not.toContain("hush");
    // Two by name, and two lists of two pages each.
    expect([...requests].sort()).toEqual([
      "GET /v1/integrations/codehost/<id>/repos 200",
      ...Array<string>(6).fill("GET /v2/deployments 200"),
    ]);
  });

  it("feed deployments and outputs", async () => {
    const { writes } = await product.up({ env });
    expect(writes).toMatchObject([
      {
        body: {
          source_config: { integration_id: integrationId, repo_url: "https://code.example.com/acme/chat" },
          source_revision_config: { repo_ref: "trunk" },
        },
      },
    ]);
    expect(outputs()).toMatchObject({
      count: 101,
      again: 101,
      found: "READY",
      made: { repoRef: "trunk" },
      eu: "00000000-0000-4000-8000-0000000000ee",
    });
    expect(outputs()["whole"]).toMatchObject({ name: "app-1", status: "READY" });
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
    expect(product.stack.stateText()).not.toContain("hush");
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
