/** The package as npm packs it and a user installs it. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import {
  makeProject,
  packageJsonIn,
  packageName,
  providerText,
  secret,
  typeToken,
  type Project,
} from "../support/provider-process";
import { isLong } from "../support/runs";

const ways = [
  ["CommonJS, classic resolution", { type: "commonjs", module: "commonjs", moduleResolution: "node10" }],
  ["ES modules, Node's resolution", { type: "module", module: "node16", moduleResolution: "node16" }],
  ["CommonJS, Node's resolution", { type: "commonjs", module: "node16", moduleResolution: "node16" }],
  ["ES modules, a bundler's resolution", { type: "module", module: "es2022", moduleResolution: "bundler" }],
] as const;
/** A plain run plays one of each module format. */
const played = isLong ? ways : ways.slice(0, 2);

const manifest = `version: 1
deployments:
  talk:
    source: external_container
    sourceRevisionConfig: { imageUri: registry.example.com/talk:1 }
`;

let project: Project;
beforeAll(() => {
  project = makeProject("@pulumi/pulumi", ["@types/node"]);
});
afterAll(() => project.remove());

function node(...args: string[]): string {
  return execFileSync(process.execPath, args, {
    cwd: project.folder,
    env: { PATH: process.env["PATH"] },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

describe("the tarball", () => {
  it("holds what a user needs and nothing else", () => {
    const expected =
      /^(dist\/.+\.(js|d\.ts|LICENSE\.txt)|docs\/(llms\.txt|pictures\/.+\.svg|.+\.md)|skills\/[\w-]+\/SKILL\.md|plugin\/[\w.-]+|schema\/[\w.-]+\.json|cli\/(help|(init|import|summary)\/templates)\/[\w.-]+|package\.json|LICENSE|((emulator|provider|cli)\/)?[A-Z]+\.md)$/;
    const files = inject("packed").files.filter((file) => !file.startsWith("examples/"));
    expect(files.filter((file) => !expected.test(file))).toEqual([]);
    expect(files.filter((file) => /(^|\/)test\/|\.test\./.test(file))).toEqual([]);
    expect(files).toEqual(
      expect.arrayContaining([
        "package.json",
        "README.md",
        "LICENSE",
        "CHANGELOG.md",
        "docs/README.md",
        "dist/provider/index.d.ts",
      ]),
    );
  });

  it("holds every example as it is, and whatever its pages for users link to", () => {
    const { files, folder } = inject("packed");
    const tracked = execFileSync("git", ["ls-files", "examples"], { encoding: "utf8" }).trim().split("\n");
    const examples = files.filter((file) => file.startsWith("examples/"));
    // npm does not pack `.gitignore`.
    expect(examples.sort()).toEqual(tracked.filter((file) => !file.endsWith("/.gitignore")).sort());
    const pages = files.filter((file) =>
      /^(README|SECURITY|CHANGELOG|docs\/.*|emulator\/.*|examples\/.*)\.md$/.test(file),
    );
    const links = pages.flatMap((page) =>
      [...readFileSync(join(folder, page), "utf8").matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, to]) =>
        join(dirname(page), to!),
      ),
    );
    expect(links.length).toBeGreaterThan(50);
    const isPacked = (link: string) =>
      // npm's page shows the pictures of the repository.
      link.startsWith("docs/pictures/") ||
      files.some((file) => file === link || file.startsWith(`${link.replace(/\/$/, "")}/`));
    expect(links.filter((link) => !isPacked(link))).toEqual([]);
  });

  it("the package takes at most 700 kB", () => {
    expect(inject("packed").size).toBeLessThanOrEqual(700_000);
  });

  it("runs nothing when it is installed", () => {
    const { scripts = {} } = packageJsonIn(inject("packed").folder);
    const onInstall = ["preinstall", "install", "postinstall", "prepare", "prepublish"];
    expect(onInstall.filter((name) => name in scripts)).toEqual([]);
  });

  it("speaks of no folder of the machine that it was built on", () => {
    const { folder, files } = inject("packed");
    const root = join(__dirname, "../..");
    expect(files.filter((file) => readFileSync(join(folder, file), "utf8").includes(root))).toEqual([]);
  });

  it("gives a linter of packages nothing to say", async () => {
    const { publint } = await import("publint");
    const { messages } = await publint({ pkgDir: inject("packed").folder, pack: false });
    expect(messages).toEqual([]);
  });
});

describe("the installed package", () => {
  it("has its entry points for both kinds of modules", () => {
    const paths = ["provider", "emulator", "package.json"].map((entry) => `${packageName}/${entry}`);
    const list = JSON.stringify(paths);
    const required = node("-p", `${list}.map(require.resolve).join("\\n")`).trim().split("\n");
    const code = `console.log(${list}.map((path) => import.meta.resolve(path)).join("\\n"))`;
    const imported = node("--input-type=module", "-e", code).trim().split("\n");
    expect(imported).toEqual(required.map((path) => new URL(`file://${path}`).href));
  });

  it("has every schema that it ships as an entry point", () => {
    const schemas = inject("packed").files.filter((file) => file.startsWith("schema/"));
    expect(schemas.length).toBeGreaterThan(0);
    const paths = JSON.stringify(schemas.map((schema) => `${packageName}/${schema}`));
    expect(node("-p", `${paths}.every((path) => "$schema" in require(path))`).trim()).toBe("true");
  });

  it("keeps everything else to itself", () => {
    const inner = `${packageName}/dist/provider/settings.js`;
    expect(() => node("-e", `require("${inner}")`)).toThrow("ERR_PACKAGE_PATH_NOT_EXPORTED");
  });

  it("the package has the command", () => {
    const { version } = packageJsonIn(inject("packed").folder);
    const command = join("node_modules", packageName, "dist/cli/main.js");
    expect(node(command, "--version").trim()).toBe(version);
    project.write({ "deployments.yaml": manifest });
    expect(() => node(command, "validate", "deployments.yaml")).not.toThrow();
  });

  it("has an emulator that needs nothing of the rest", () => {
    const entry = node("-p", `require.resolve("${packageName}/emulator")`).trim();
    const script = `
      const { startEmulator } = require(${JSON.stringify(entry)});
      startEmulator().then(async (emulator) => {
        await emulator.close();
        const others = Object.keys(require.cache).filter((path) => !/.dist.(emulator|shared)./.test(path));
        console.log(JSON.stringify(others));
      });`;
    expect(JSON.parse(node("-e", script))).toEqual([]);
  });
});

describe.each(played)("a program in %s", (_, { type, module, moduleResolution }) => {
  const compilerOptions = {
    target: "es2022",
    module,
    moduleResolution,
    strict: true,
    types: ["node"],
  };
  let printed: Printed;

  beforeAll(() => {
    project.write({
      "package.json": JSON.stringify({ private: true, type }),
      "deployments.yaml": manifest,
      "index.ts": readFileSync(join(__dirname, "program/index.ts"), "utf8"),
    });
  });

  it("compiles, and loads the types of no library besides the SDK's", () => {
    const { errors, files } = compile();
    expect(errors).toEqual([]);
    expect(files).toContainEqual(expect.stringContaining(`${packageName}/dist/provider/index.d.ts`));
    const libraries = Object.keys(packageJsonIn(inject("packed").folder).dependencies);
    expect(files.filter((file) => libraries.some((name) => file.includes(`node_modules/${name}/`)))).toEqual(
      [],
    );
  });

  it("runs, with every export there", () => {
    printed = JSON.parse(node("index.js")) as Printed;
    expect(printed.provider).toBe("function");
    expect(printed.emulator).toEqual({ names: ["chat"], requests: ["GET /v2/deployments 401"] });
    expect(printed.functions.every((kind) => kind === "function")).toBe(true);
    expect(printed.isInstance).toEqual([true, false]);
  });

  it("registers its resources as states of any version hold them (E34)", () => {
    const { chat, search, talk } = printed.registered;
    expect(chat).toMatchObject({
      type: typeToken,
      inputs: {
        name: "chat",
        source: "external_container",
        sourceConfig: {
          buildOnPush: false,
          resourceSpec: { minScale: 1, cpu: 0.5, labels: { team_name: "chat" } },
        },
        secretReferences: { DB_URL: { secretName: "chat-db", secretKey: "url" } },
        triggers: { at: 1 },
        __options: { timeouts: { create: "5m" } },
        __provider: providerText,
      },
    });
    expect(search).toMatchObject({
      type: typeToken,
      inputs: { name: "search-eu", sourceRevisionConfig: { repoRef: "main" } },
    });
    expect(talk).toMatchObject({
      type: typeToken,
      inputs: { sourceRevisionConfig: { imageUri: "registry.example.com/talk:1" }, __provider: providerText },
    });
    expect(printed.shown).toEqual([
      "chat-id",
      "chat",
      "READY",
      expect.objectContaining({ repoUrl: expect.any(String) }),
    ]);
  });

  it("has a second connection under the keys of the configuration, as texts", () => {
    expect(printed.registered["eu"]).toMatchObject({
      type: "pulumi:providers:pulumi-nodejs",
      inputs: {
        "deployment-service:baseUrl": "https://eu.example.com",
        "deployment-service:apiKey": secret("eu-key"),
        "deployment-service:allowHttp": "false",
        "deployment-service:maxConcurrency": "4",
      },
    });
  });

  /** Checks the program and the declarations of the package, as a project does that checks the declarations of packages. */
  function compile(): { errors: string[]; files: string[] } {
    const json: unknown = { compilerOptions, files: ["index.ts"] };
    const { fileNames, options } = ts.parseJsonConfigFileContent(json, ts.sys, project.folder);
    const compiled = ts.createProgram(fileNames, options);
    const checked = compiled
      .getSourceFiles()
      .filter(({ fileName }) => fileName.endsWith("/index.ts") || fileName.includes(`${packageName}/dist/`));
    const problems = checked.flatMap((file) => ts.getPreEmitDiagnostics(compiled, file));
    compiled.emit();
    return {
      errors: problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " ")),
      files: compiled.getSourceFiles().map(({ fileName }) => fileName),
    };
  }
});

interface Printed {
  readonly registered: Record<string, { type: string; inputs: Record<string, unknown> }>;
  readonly shown: unknown[];
  readonly isInstance: boolean[];
  readonly functions: string[];
  readonly provider: string;
  readonly emulator: { names: string[]; requests: string[] };
}
