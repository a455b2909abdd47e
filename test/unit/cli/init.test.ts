import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { langsmith } from "../../../emulator";
import { ask, start } from "./service-commands";
import { cli, scratch } from "./support";

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
    expect(stdout).toContain("pulumi config set --secret deployment-service:apiKey");
  });

  it("writes a manifest that is valid, in this folder when none is named", async () => {
    expect((await cli(["init", "--yaml"], { cwd })).code).toBe(0);
    expect(readdirSync(cwd)).toEqual(expect.arrayContaining(["deployments.yaml", "index.js"]));
    expect(await cli(["validate", "deployments.yaml"], { cwd })).toMatchObject({ code: 0 });
  });

  it("writes a folder to deploy: that of the example", async () => {
    const { code, stdout } = await cli(["init", "--folder"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain("npx pulumi-deployment-service emulator --dialect langsmith ");
    expect(parse(read("Pulumi.yaml"))).toMatchObject({
      config: { "deployment-service:dialect": { value: "langsmith" } },
    });
    expect(read("index.ts")).toContain('sourceDirectory: "./agent"');
    for (const file of ["agent/langgraph.json", "agent/agent.py", "agent/requirements.txt"])
      expect(read(file)).toBe(readFileSync(join("examples/11-folder", file), "utf8"));
    const manifest = await cli(["init", "--folder", "--yaml", "x"], { cwd });
    expect(manifest.code).toBe(0);
    expect(await cli(["validate", "x/deployments.yaml"], { cwd })).toMatchObject({ code: 0 });
    expect((await cli(["init", "--folder", "--dialect", "standard", "y"], { cwd })).stderr).toContain(
      "--folder needs a dialect with uploads: langsmith",
    );
  });

  it("makes what users of the dialect can run: a folder, and an image only where they ask for one", async () => {
    expect(await cli(["init", "a", "--dialect", "langsmith"], { cwd })).toMatchObject({
      code: 0,
      stderr: "",
    });
    expect(read("a/index.ts")).toContain('sourceDirectory: "./agent"');
    const image = await cli(["init", "b", "--dialect", "langsmith", "--source", "external_container"], {
      cwd,
    });
    expect(image.code).toBe(0);
    expect(image.stderr).toMatch(/^note: the source is external_container without a listener: .*listenerId/);
    expect(read("b/index.ts")).toContain("imageUri");
  });

  it("refuses a folder that is not empty, and a file, and leaves them as they are", async () => {
    mkdirSync(join(cwd, "used"));
    writeFileSync(join(cwd, "used/notes.txt"), "mine");
    const used = await cli(["init", "used"], { cwd });
    expect(used).toMatchObject({ code: 2, stdout: "" });
    expect(used.stderr).toContain("used is not empty: it contains notes.txt");
    expect(readdirSync(join(cwd, "used"))).toEqual(["notes.txt"]);
    const file = await cli(["init", "used/notes.txt"], { cwd });
    expect(file).toMatchObject({ code: 2, stdout: "" });
    expect(file.stderr).toContain("cannot write to used/notes.txt: EEXIST: file already exists");
    expect((await cli(["init", "a", "b"], { cwd })).code).toBe(2);
  });

  describe("--source codehost --dialect langsmith", () => {
    const [one, other] = ["6f0e6c1a-1f0b-4c53-9c3e-3f1c9a0d2b11", "6f0e6c1a-1f0b-4c53-9c3e-3f1c9a0d2b12"];
    const any = "00000000-0000-4000-8000-000000000000";
    const words = ["init", "chat", "--dialect", "langsmith", "--source", "codehost"];
    const repository = (owner: string) => ({ owner, name: "chat", url: `https://github.com/${owner}/chat` });

    it.each([
      [
        "the one integration that there is",
        { [one]: "acme" },
        one,
        "The integration acme; `npx pulumi-deployment-service repos",
      ],
      ["a choice of several", { [one]: "acme", [other]: "team" }, any, `${other} team`],
      ["where to find one", {}, any, "`npx pulumi-deployment-service integrations` lists the ids"],
    ])("writes %s, in TypeScript and in a manifest", async (_, known, id, comment) => {
      const emulator = await start({ rules: langsmith });
      for (const [each, owner] of Object.entries(known)) emulator.repositories(each, [repository(owner)]);
      expect(await ask(emulator, words, { cwd })).toMatchObject({ code: 0, stderr: "" });
      expect(read("chat/index.ts")).toContain(`integrationId: "${id}"`);
      expect(read("chat/index.ts")).toContain(comment);
      expect(parse(read("chat/Pulumi.yaml"))).toMatchObject({
        config: { "deployment-service:dialect": { value: "langsmith" } },
      });
      rmSync(join(cwd, "chat"), { recursive: true });
      const { stdout } = await ask(emulator, [...words, "--yaml"], { cwd });
      expect(stdout).toContain("npx pulumi-deployment-service emulator --dialect langsmith ");
      expect(stdout).toContain("deployment-service:baseUrl https://api.host.langchain.com");
      expect(parse(read("chat/deployments.yaml"))).toMatchObject({
        dialect: "langsmith",
        deployments: { chat: { sourceConfig: { integrationId: id } } },
      });
      expect(read("chat/deployments.yaml")).toContain(comment);
      const checked = await cli(["validate", "deployments.yaml"], { cwd: join(cwd, "chat") });
      expect(checked).toMatchObject({ code: 0 });
      expect(
        emulator.requestLines().every((line) => line.endsWith("/v1/integrations/github/install 200")),
      ).toBe(true);
    });

    it("works without a connection, sends nothing in dialect standard, and reports a failed request", async () => {
      expect(await cli(words, { cwd })).toMatchObject({ code: 0, stderr: "" });
      const emulator = await start();
      const inStandard = ["init", "other", "--source", "codehost"];
      expect(await ask(emulator, inStandard, { cwd })).toMatchObject({ code: 0, stderr: "" });
      expect(emulator.requests()).toEqual([]);
      const failed = await ask(emulator, ["init", "third", ...words.slice(2)], { cwd });
      expect(failed).toMatchObject({ code: 0 });
      expect(failed.stderr).toMatch(/^cannot list the integrations: GET .*404/);
      expect(read("third/index.ts")).toContain(any);
    });
  });
});
