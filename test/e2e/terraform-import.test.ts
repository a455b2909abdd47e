/** From Terraform: deployments of a state come into a stack as they are. */
import { beforeAll, describe, expect, it } from "vitest";
import { langsmith } from "../../emulator";
import { canary, expectNoTrace } from "../support/canary";
import { stateFile } from "../support/terraform";
import { deploymentService, program, useProduct } from "./support";

const env = { DEPLOYMENT_SERVICE_DIALECT: "langsmith" };
const environment = canary("environment");
const github = {
  source: "github",
  source_config: {
    ...{ integration_id: "11111111-1111-4111-8111-111111111111", repo_url: "https://github.com/acme/chat" },
    ...{ deployment_type: "dev_zero", build_on_push: true },
  },
  source_revision_config: { repo_ref: "main", langgraph_config_path: "langgraph.json" },
  // The service has one map for Terraform's `environment_variables` and its `secrets`.
  secrets: [{ name: "LOG_LEVEL", value: environment }],
};
const docker = {
  source: "external_docker",
  source_config: { resource_spec: { cpu: 2, max_scale: 3 } },
  source_revision_config: { image_uri: "registry.example.com/search:1" },
  secrets: [],
};

describe("deployments that Terraform made", () => {
  const product = useProduct({
    program: program(`require("pulumi-deployment-service").fromManifest("deployments.yaml");`),
    emulator: { rules: langsmith },
    env,
  });
  let before: unknown;

  beforeAll(async () => {
    const ids = { chat: github, "chat-eu": github, search: docker };
    const [chat, eu, search] = Object.entries(ids).map(
      ([name, body]) => product.emulator.create({ name, ...body }).id,
    );
    product.emulator.change("chat", (record) => void (record.tiers = { compute_tier: "SERVERLESS_L" }));
    before = product.emulator.deployments();
    const state = stateFile(
      [
        { name: "chat", index: "us", id: chat! },
        { name: "chat", index: "eu", id: eu! },
        { module: 'module.tools["search"]', name: "this", id: search! },
        { name: "role", type: "langsmith_workspace_role" },
      ],
      { environment },
    );
    product.stack.write({ "terraform.tfstate": state });
    const words = ["import", "--terraform", "terraform.tfstate", "--out", "import.json"];
    await deploymentService(product, words, env);
  });

  it("are imported as they are: the next preview, refresh and up have nothing to do", async () => {
    const { output } = await product.stack.import("import.json", { args: ["--protect=false"] });
    expect(output).toContain("3 imported");
    const names = ["chat-us", "chat-eu", "tools-search-this"];
    expect(names.map((name) => product.stack.resource(name).outputs?.["name"])).toEqual([
      ...["chat", "chat-eu", "search"],
    ]);
    expect(product.stack.resource("chat-us").outputs).toMatchObject({ deploymentTier: "SERVERLESS_L" });
    const preview = await product.preview({ args: ["--expect-no-changes", "--diff"] });
    expect(preview.requests).toEqual([]);
    expect((await product.up({ args: ["--refresh", "--expect-no-changes"] })).writes).toEqual([]);
    expect(product.emulator.deployments()).toEqual(before);
    expectNoTrace(product.stack.stateText(), { environment });
  });
});
