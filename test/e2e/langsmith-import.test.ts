/** Deployments that the public service has already: imported, adopted, and declared by one manifest for either service. */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { langsmithWith, type JsonObject } from "../../emulator";
import { connectionTo, program, useProduct } from "./support";

const main = resolve("dist/provider/cli/main.js");
const integration_id = "11111111-1111-4111-8111-111111111111";
const env = { DEPLOYMENT_SERVICE_DIALECT: "langsmith" };
/** Built sources are answered with the commit, the built image and the address; names were once ruled less strictly. */
const rules = langsmithWith({ showsBuilt: true, namePattern: "^[A-Za-z_]+$" });

const made: Record<string, JsonObject> = {
  Built_App: {
    source: "github",
    source_config: {
      ...{ integration_id, repo_url: "https://github.com/acme/chat.git" },
      ...{ deployment_type: "dev", build_on_push: true, install_command: "npm ci" },
    },
    source_revision_config: { repo_ref: "main", langgraph_config_path: "langgraph.json" },
    secrets: [{ name: "MODEL_API_KEY", value: "model-hush" }],
  },
  tagged: {
    source: "github",
    source_config: {
      ...{ integration_id, repo_url: "https://github.com/acme/chat" },
      ...{ deployment_type: "prod", build_on_push: false },
    },
    source_revision_config: { repo_ref: "refs/tags/v1", langgraph_config_path: "langgraph.json" },
    secrets: [],
  },
  sized: {
    source: "external_docker",
    source_config: {
      custom_url: "https://sized.example.com",
      resource_spec: { cpu: 0.5, labels: { a: "b" } },
    },
    source_revision_config: { image_uri: "registry.example.com/chat:1" },
    secrets: [{ name: "REGION", value: "eu-hush" }],
    secret_references: [{ name: "DB", secret_name: "db", secret_key: "url" }],
  },
  pushed: {
    source: "internal_docker",
    source_config: { deployment_type: "dev" },
    source_revision_config: {},
    secrets: [],
  },
  archive: {
    source: "internal_source",
    source_config: { deployment_type: "dev" },
    source_revision_config: { langgraph_config_path: "langgraph.json" },
    secrets: [],
  },
  template: { source: "internal_template", source_config: {}, source_revision_config: {}, secrets: [] },
};

describe("deployments that are there already", () => {
  const fromFile = `require("pulumi-deployment-service").fromManifest("deployments.yaml");`;
  const product = useProduct({ program: program(fromFile), emulator: { rules }, env });
  let before: unknown;
  const manifest = () => readFileSync(join(product.stack.folder, "deployments.yaml"), "utf8");

  beforeAll(async () => {
    for (const [name, body] of Object.entries(made)) product.emulator.create({ name, ...body });
    const words = ["import", "--out", "import.json", "--manifest", "deployments.yaml"];
    await promisify(execFile)(process.execPath, [main, ...words], {
      cwd: product.stack.folder,
      env: { PATH: process.env["PATH"], ...connectionTo(product.emulator), ...env },
    });
    before = product.emulator.deployments();
  });

  it("are written down with what was declared, not with what became of it (F01, F03, F13)", () => {
    expect(manifest()).not.toMatch(/hush|[0-9a-f]{40}|built:|langgraph\.app/);
    expect(manifest()).toMatch(/repoRef: "?main"?\n/);
    expect(manifest()).toContain("refs/tags/v1");
    expect(manifest().match(/imageUri/g)).toHaveLength(1);
    expect(manifest()).toContain("https://sized.example.com");
  });

  it("are imported, whatever their names, and the next preview, refresh and up have nothing to do (F01 to F07)", async () => {
    const { output } = await product.stack.import("import.json", { args: ["--protect=false"] });
    expect(output).toContain(`${Object.keys(made).length} imported`);
    const preview = await product.preview({ args: ["--expect-no-changes", "--diff"] });
    expect(preview.requests).toEqual([]);
    expect((await product.refresh({ args: ["--expect-no-changes"] })).writes).toEqual([]);
    expect(product.emulator.deployments()).toEqual(before);
  });

  it("are changed like any other afterwards, and their secrets stay; another one is adopted as it is", async () => {
    product.emulator.create({
      name: "adopted",
      ...made["Built_App"],
    });
    const changed = manifest().replace("refs/tags/v1", "refs/tags/v2");
    expect(changed).not.toBe(manifest());
    writeFileSync(join(product.stack.folder, "deployments.yaml"), changed);
    const adopted = {
      source: "codehost",
      sourceConfig: { integrationId: integration_id, repoUrl: "https://github.com/acme/Chat" },
      sourceRevisionConfig: { repoRef: "main", graphConfigPath: "langgraph.json" },
      adopt: true,
    };
    product.stack.write(program(`${fromFile}\nnew Deployment("adopted", ${JSON.stringify(adopted)});`));
    const { writes, screen } = await product.up();
    expect(writes).toEqual([
      { method: "PATCH", body: { source_revision_config: { repo_ref: "refs/tags/v2" } } },
    ]);
    expect(screen).toContain(
      "adopted: adopts the existing deployment <id>; keeps its undeclared secrets MODEL_API_KEY",
    );
    expect(product.stack.stateText()).not.toContain("hush");
    await product.preview({ args: ["--expect-no-changes"] });
  });
});
