import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { ownDependency } from "../../../cli/init/project";
import { scratch } from "../../support/folders";
import { refused } from "./outcomes";
import { cli } from "./support";

let cwd = "";
beforeEach(() => {
  cwd = scratch();
});

const read = (file: string) => readFileSync(join(cwd, file), "utf8");

describe("deployment-service init", () => {
  it("makes a project, and prints what to type next", async () => {
    const { code, stdout, stderr } = await cli(["init", "my chat"], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(readdirSync(join(cwd, "my chat")).sort()).toEqual([
      ".gitignore",
      "Pulumi.dev.yaml",
      "Pulumi.yaml",
      "index.ts",
      "package.json",
      "tsconfig.json",
    ]);
    expect(parse(read("my chat/Pulumi.yaml"))).toMatchObject({ name: "my-chat", runtime: "nodejs" });
    expect(stdout).toMatch(
      /^ {2}cd 'my chat'\n {2}npm install\n {2}npx pulumi-deployment-service emulator /m,
    );
    expect(stdout).toContain("If the Pulumi CLI is not installed, write `npx pulumi` instead of `pulumi`.");
    expect(stdout).toContain("For the real service, create another stack: Pulumi.dev.yaml says how.");
    expect(read("my chat/Pulumi.dev.yaml")).toContain("pulumi config set --secret deployment-service:apiKey");
  });

  it("writes a manifest that is valid, in this folder when none is named", async () => {
    expect((await cli(["init", "--yaml"], { cwd })).code).toBe(0);
    expect(read("index.js")).toContain(
      "\nexports.urls = Object.fromEntries(Object.entries(deployments).map(([key, { url }]) => [key, url]));",
    );
    expect(await cli(["validate", "deployments.yaml"], { cwd })).toMatchObject({ code: 0 });
  });

  it.each([
    ["a registry", "https://registry.example.com/pulumi-deployment-service-0.1.0.tgz", /^\^\d+\.\d+\.\d+$/],
    [
      "an archive",
      "file:../packed/pulumi-deployment-service-0.1.0.tgz",
      /^file:\.\.\/packed\/\S+-0\.1\.0\.tgz$/,
    ],
  ])("declares the package as it was installed itself, from %s", (_, resolved, expected) => {
    const own = join(cwd, "agent/node_modules/pulumi-deployment-service");
    mkdirSync(own, { recursive: true });
    const packages = { "node_modules/pulumi-deployment-service": { resolved } };
    writeFileSync(join(own, "../.package-lock.json"), JSON.stringify({ packages }));
    expect(ownDependency(join(cwd, "infra"), own)).toMatch(expected);
  });

  it("writes a folder to deploy: that of the example", async () => {
    const { code, stdout, stderr } = await cli(["init", "--dialect", "langsmith"], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("npx pulumi-deployment-service emulator --dialect langsmith ");
    expect(parse(read("Pulumi.yaml"))).toMatchObject({
      config: { "deployment-service:dialect": { value: "langsmith" } },
    });
    expect(read("index.ts")).toContain('sourceDirectory: "./agent"');
    for (const file of ["agent/langgraph.json", "agent/agent.py", "agent/requirements.txt"])
      expect(read(file)).toBe(readFileSync(join("examples/11-folder", file), "utf8"));
    const manifest = await cli(["init", "--dialect", "langsmith", "--yaml", "x"], { cwd });
    expect(manifest.code).toBe(0);
    expect(await cli(["validate", "x/deployments.yaml"], { cwd })).toMatchObject({ code: 0 });
  });

  it("takes the dialect of the environment, unless the user chooses another", async () => {
    const env = { DEPLOYMENT_SERVICE_DIALECT: "langsmith" };
    await cli(["init", "a"], { cwd, env });
    expect(read("a/Pulumi.yaml")).toContain("value: langsmith");
    await cli(["init", "b", "--dialect", "standard"], { cwd, env });
    expect(read("b/Pulumi.yaml")).not.toContain("dialect");
    const wrong = await cli(["init", "c"], { cwd, env: { DEPLOYMENT_SERVICE_DIALECT: "smith" } });
    expect(wrong).toMatchObject(refused("DEPLOYMENT_SERVICE_DIALECT is not a known dialect: use --dialect"));
  });

  it("makes an image only where one is asked for", async () => {
    const words = ["init", "b", "--dialect", "langsmith", "--source", "external_container"];
    expect((await cli(words, { cwd })).code).toBe(0);
    expect(read("b/index.ts")).toContain("imageUri");
  });

  it("refuses a folder that is not empty, and a file, and leaves them as they are", async () => {
    mkdirSync(join(cwd, "used"));
    writeFileSync(join(cwd, "used/notes.txt"), "mine");
    const used = await cli(["init", "used"], { cwd });
    expect(used).toMatchObject(refused("used is not empty: it contains notes.txt"));
    expect(readdirSync(join(cwd, "used"))).toEqual(["notes.txt"]);
    const file = await cli(["init", "used/notes.txt"], { cwd });
    expect(file).toMatchObject(refused("cannot write to used/notes.txt: EEXIST: file already exists"));
    expect((await cli(["init", "a", "b"], { cwd })).code).toBe(2);
  });

  it("names the deployment after the folder, so that a second project of one workspace has another", async () => {
    await cli(["init", "My Chat", "--yaml"], { cwd });
    await cli(["init", "2nd"], { cwd });
    await cli(["init", "agent", "--dialect", "langsmith", "--yaml"], { cwd });
    expect(parse(read("My Chat/deployments.yaml"))).toMatchObject({
      deployments: { "my-chat": { source: "external_container" } },
    });
    expect(read("2nd/index.ts")).toContain('new Deployment("deployment-2nd", {');
    expect(parse(read("agent/deployments.yaml"))).toMatchObject({ deployments: { agent: {} } });
  });

  it("--source codehost says where the integration's id comes from", async () => {
    for (const kind of ["index.ts", "deployments.yaml"]) {
      const words = ["init", kind, "--source", "codehost", ...(kind === "index.ts" ? [] : ["--yaml"])];
      expect(await cli(words, { cwd })).toMatchObject({ code: 0, stderr: "" });
      expect(read(`${kind}/${kind}`)).toContain("`npx pulumi-deployment-service integrations` lists the ids");
    }
    const checked = await cli(["validate", "deployments.yaml/deployments.yaml"], { cwd });
    expect(checked).toMatchObject({ code: 0 });
  });
});
