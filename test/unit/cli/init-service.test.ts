import { describe, expect, it } from "vitest";
import { langsmith } from "../../../emulator";
import { agentIn, Workplace } from "./init-support";
import { refused } from "./outcomes";
import { start } from "./service-commands";

const workspace = "3f1c9a0d-0000-4000-8000-000000000000";
const eu = "https://eu.api.host.langchain.com";
const own = "https://langsmith.example.com/api-host";
const smith = (region: string) => `https://${region}.api.smith.langchain.com`;
const host = "LANGGRAPH_HOST_URL";

async function configured(environment: string, env: Record<string, string>) {
  const place = new Workplace(agentIn("agent", environment));
  const { code, stdout, stderr } = await place.init("infra --from agent", env);
  expect(code).toBe(0);
  const { config } = place.parsed<{ config: Record<string, string> }>("infra/Pulumi.dev.yaml");
  const { "deployment-service:baseUrl": address, "deployment-service:tenantId": tenantId } = config;
  return { address, tenantId, text: stdout + stderr, place };
}

describe("init --from takes", () => {
  it.each([
    ["the first region's, if nothing is said", "", {}, "https://api.host.langchain.com", ""],
    ["of the file", `LANGSMITH_ENDPOINT=${smith("eu")}\n`, {}, eu, "LANGSMITH_ENDPOINT in agent/.env"],
    ["of the file, its control plane", `${host}=${own}\n`, {}, own, `${host} in agent/.env`],
    [
      "of the environment",
      `LANGSMITH_ENDPOINT=${smith("apac")}\n`,
      { LANGSMITH_ENDPOINT: smith("eu") },
      eu,
      "LANGSMITH_ENDPOINT",
    ],
    [
      "of the environment, an own one",
      `${host}=${eu}\n`,
      { LANGSMITH_ENDPOINT: "https://langsmith.example.com/api/v1" },
      own,
      "LANGSMITH_ENDPOINT",
    ],
    [
      "of its own variable before the vendor's",
      "",
      { DEPLOYMENT_SERVICE_URL: "eu", [host]: own },
      eu,
      "DEPLOYMENT_SERVICE_URL",
    ],
  ])("the address %s, and says where from", async (_, environment, env, address, from) => {
    const found = await configured(`A=1\n${environment}`, env);
    expect(found.address).toBe(address);
    expect(found.text).toContain(`the service is at ${address}${from && ` (from ${from})`}\n`);
  });

  it.each([
    ["of the environment", "", { LANGSMITH_WORKSPACE_ID: workspace }],
    ["of the environment, by its older name", "", { LANGSMITH_TENANT_ID: workspace }],
    ["of the file", `LANGSMITH_WORKSPACE_ID=${workspace}\n`, {}],
    ["of the environment before the file", "LANGSMITH_TENANT_ID=other\n", { LANGSMITH_TENANT_ID: workspace }],
    ["of its own variable", "LANGSMITH_TENANT_ID=other\n", { DEPLOYMENT_SERVICE_TENANT_ID: workspace }],
  ])("the workspace %s", async (_, environment, env) => {
    expect((await configured(`A=1\n${environment}`, env)).tenantId).toBe(workspace);
  });

  it("address, workspace and key from a profile: nothing is left to type", async () => {
    const emulator = await start({ rules: langsmith });
    const login = { api_url: `${emulator.url}/api-host`, api_key: emulator.apiKey, workspace_id: workspace };
    const config = JSON.stringify({ profiles: { default: login } });
    const place = new Workplace({ ...agentIn("agent", "A=1\n"), "home/.langsmith/config.json": config });
    const { stdout, stderr } = await place.init("infra --from agent", { HOME: `${place.cwd}/home` });
    expect(stderr).toContain(`the service is at ${emulator.url}/api-host (from profile "default" of `);
    expect(stdout).not.toMatch(/export|DEPLOYMENT_SERVICE|LANGSMITH/);
    expect(place.read("infra/Pulumi.dev.yaml")).toContain(`deployment-service:tenantId: ${workspace}`);
    expect(place.all("infra")).not.toContain(emulator.apiKey);
  });

  it.each(["nowhere", "https://user:canary@langsmith.example.com", "ftp://langsmith.example.com"])(
    "no address that is none, and does not show it: %s",
    async (text) => {
      const place = new Workplace(agentIn("agent", `LANGSMITH_ENDPOINT=${text}\n`));
      const outcome = await place.init("infra --from agent");
      expect(outcome).toMatchObject(refused("LANGSMITH_ENDPOINT in agent/.env must be an address such as "));
      expect(outcome.stderr).not.toContain("canary");
      expect(place.list()).toEqual(["agent"]);
    },
  );

  it("never sends a key of the environment to an address that only a file of the agent mentions", async () => {
    const emulator = await start({ rules: langsmith });
    const keys = { LANGSMITH_API_KEY: emulator.apiKey, DEPLOYMENT_SERVICE_API_KEY: emulator.apiKey };
    const { address, text } = await configured(`LANGGRAPH_HOST_URL=${emulator.url}\n`, keys);
    expect(address).toBe(emulator.url);
    expect(text).toContain("this did not look for an existing deployment agent");
    expect(emulator.requests()).toEqual([]);
  });

  it.each([
    [eu, "LANGSMITH_API_KEY"],
    [own, "DEPLOYMENT_SERVICE_API_KEY"],
  ])("the key for %s from %s", async (address, key) => {
    const { text, place } = await configured("", { DEPLOYMENT_SERVICE_URL: address });
    const texts = text + place.read("infra/README.md") + place.read("infra/Pulumi.dev.yaml");
    expect(new Set(texts.match(/\w+_API_KEY/g))).toEqual(new Set([key]));
    expect(text).not.toContain("emulator");
  });

  it("no type that scales to zero where the region refuses it", async () => {
    const env = { DEPLOYMENT_SERVICE_URL: "aws-us" };
    const { place } = await configured("", env);
    expect(place.read("infra/index.ts")).toContain('sourceConfig: { deploymentType: "dev" },');
    await place.init("two --from agent --stacks dev,prod --yaml", env);
    const { stacks } = place.parsed<{
      stacks: Record<string, { deployments: { agent: { sourceConfig: object } } }>;
    }>("two/deployments.yaml");
    const of = (stack: string) => stacks[stack]!.deployments.agent.sourceConfig;
    expect(of("dev")).toEqual({ deploymentType: "dev" });
    expect(of("prod")).toEqual({ deploymentType: "dedicated", deploymentTier: "DEDICATED_S" });
  });
});
