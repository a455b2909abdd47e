/** Where a package manager, or a program, puts things otherwise than in one folder: on the real CLI. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createStack, type Stack } from "../engine";
import { writeFiles } from "../engine/program";
import { nowhere } from "../support/product";
import { installed, packageJsonIn, packageName } from "../support/provider-process";

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
    stack = await createStack({ program, inPlace: true, env: nowhere });
  });
  afterAll(() => stack?.dispose());

  it("works where the SDK can find the package, although the program cannot", async () => {
    expect((await stack.preview()).output).toMatch(/\+ 2 to create/);
  });

  it("works for an inline program in another folder that sets `main`", async () => {
    const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), "elsewhere-")));
    symlinkSync(
      join(stack.folder, "node_modules/.pnpm", packageName, "node_modules", packageName),
      join(stack.folder, "node_modules", packageName),
      "junction",
    );
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(stack.folder, "inline.js"), stack.folder],
      { cwd: elsewhere, env: stack.environment },
    );
    expect(stdout).toMatch(/\+ 2 to create/);
    rmSync(elsewhere, { recursive: true });
  });
});
