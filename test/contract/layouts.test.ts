/** Where a package manager, or a program, puts things otherwise than in one folder: on the real CLI. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createStack, type Stack } from "../engine";
import { writeFiles } from "../engine/program";
import { installed, packageJsonIn, packageName } from "../support/provider-process";

const env = { DEPLOYMENT_SERVICE_URL: "http://127.0.0.1:9", DEPLOYMENT_SERVICE_API_KEY: "key" };
const aStack = /Require stack|\bat .*:\d+:\d+/;

const files: Readonly<Record<string, string>> = {
  "package.json": '{ "private": true }\n',
  "Pulumi.yaml": "name: program\nruntime: nodejs\n",
  "index.js": `require("acme-components").chat();\n`,
  "inline.js": `
const { LocalWorkspace } = require("@pulumi/pulumi/automation");
const program = async () => { require("acme-components").chat(); };
const [main] = process.argv.slice(2);
const projectSettings = { name: "program", runtime: "nodejs", ...(main && { main }) };
(async () => {
  const options = main ? { projectSettings } : {};
  const stack = await LocalWorkspace.createOrSelectStack({ stackName: "inline", projectName: "program", program }, options);
  await stack.preview({ onOutput: (text) => process.stdout.write(text) });
})().catch(() => (process.exitCode = 1));
`,
  "library/package.json": '{ "name": "acme-components", "version": "1.0.0", "main": "index.js" }\n',
  "library/index.js": `
const { Deployment } = require("${packageName}");
exports.chat = () => new Deployment("chat", { source: "internal_source" });
`,
};

/** As pnpm lays it out: each package beside its own dependencies, and all of them once more where only they look. */
function layOut(folder: string): void {
  writeFiles(folder, files);
  const inStore = (name: string) =>
    join(folder, "node_modules/.pnpm", name.replace("/", "+"), "node_modules");
  const link = (from: string, name: string, to: string) => {
    mkdirSync(dirname(join(from, name)), { recursive: true });
    symlinkSync(to, join(from, name), "junction");
  };
  const store = (name: string, from: string, dependencies: Readonly<Record<string, string>>) => {
    cpSync(from, join(inStore(name), name), { recursive: true });
    for (const [dependency, to] of Object.entries(dependencies)) link(inStore(name), dependency, to);
  };
  const placeOf = (name: string) => join(inStore(name), name);
  const links = (names: string[]) => Object.fromEntries(names.map((name) => [name, installed(name)]));
  const sdk = "@pulumi/pulumi";
  store(sdk, installed(sdk), links(Object.keys(packageJsonIn(installed(sdk)).dependencies)));
  const packed = inject("packed").folder;
  const ownDependencies = links(Object.keys(packageJsonIn(packed).dependencies));
  store(packageName, packed, { ...ownDependencies, [sdk]: placeOf(sdk) });
  store("acme-components", join(folder, "library"), {
    [packageName]: placeOf(packageName),
    [sdk]: placeOf(sdk),
  });
  link(join(folder, "node_modules"), sdk, placeOf(sdk));
  link(join(folder, "node_modules"), "acme-components", placeOf("acme-components"));
  link(join(folder, "node_modules/.pnpm/node_modules"), packageName, placeOf(packageName));
}

describe("a component library with its own copy of the package", () => {
  let stack: Stack;
  beforeAll(async () => {
    const program = realpathSync(mkdtempSync(join(tmpdir(), "layout-")));
    layOut(program);
    stack = await createStack({ program, inPlace: true, env });
  });
  afterAll(() => stack?.dispose());

  it("works where the SDK can find the package, although the program cannot", async () => {
    expect((await stack.preview()).output).toMatch(/\+ 2 to create/);
  });

  it("says what to install where, if nothing finds it", async () => {
    rmSync(join(stack.folder, "node_modules/.pnpm/node_modules"), { recursive: true });
    const { output } = await stack.preview({ expectFailure: true });
    expect(output).toContain(
      `${packageName} is not installed in ${stack.folder}, from which the engine loads the provider of ${packageName}: ` +
        `run \`npm install ${packageName}\` there, or use your package manager`,
    );
    expect(output).not.toMatch(aStack);
  });

  it("works for an inline program in another folder that sets `main`; without `main`, the error says what to set, and to a component's plugin what to install", async () => {
    const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), "elsewhere-")));
    const run = async (...args: string[]) => {
      const { stdout, stderr } = await promisify(execFile)(
        process.execPath,
        [join(stack.folder, "inline.js"), ...args],
        { cwd: elsewhere, env: stack.environment },
      ).catch((error: unknown) => error as { stdout: string; stderr: string });
      return stdout + stderr;
    };
    symlinkSync(
      join(stack.folder, "node_modules/.pnpm", packageName, "node_modules", packageName),
      join(stack.folder, "node_modules", packageName),
      "junction",
    );
    expect(await run(stack.folder)).toMatch(/\+ 2 to create/);
    const told =
      `@pulumi/pulumi and ${packageName} are not installed in ${elsewhere}. If the engine cannot load the provider of ` +
      `${packageName}, start this process in the folder where they are installed, or set \`main\` in the workspace's`;
    expect((await run()).replace(/\s+/g, " ")).toContain(told);
    // The engine starts a component's plugin with its address.
    const ofPlugin = (await run("", "127.0.0.1:4000")).replace(/\s+/g, " ");
    expect(ofPlugin).toContain("there, or use your package manager");
    expect(ofPlugin).not.toContain("projectSettings");
    rmSync(elsewhere, { recursive: true });
  });
});
