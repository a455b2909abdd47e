/** A run starts two processes that load this package: each loads what it uses. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(__dirname, "../..");

interface Loaded {
  /** Modules of the package itself, relative to `dist`. */
  readonly own: readonly string[];
  /** Names of all packages that modules were loaded from. */
  readonly packages: readonly string[];
  /** How many modules were loaded from a package. */
  readonly countOf: (name: string) => number;
}

/** What is loaded once the code has called `done`. */
function loadedBy(code: string): Loaded {
  const report = `
    const done = () => process.stdout.write(JSON.stringify(Object.keys(require.cache)));
    ${code}`;
  const modules = JSON.parse(
    execFileSync(process.execPath, ["-e", report], { cwd: root, encoding: "utf8" }),
  ) as string[];
  const below = (folder: string) =>
    modules.flatMap((file) => (file.startsWith(folder) ? [file.slice(folder.length)] : []));
  const names = modules.flatMap(
    (file) => /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file)?.[1] ?? [],
  );
  return {
    own: below(join(root, "dist/")),
    packages: [...new Set(names)],
    countOf: (name) => names.filter((each) => each === name).length,
  };
}

function expectNoLibraries({ own, packages }: Loaded): void {
  expect(packages.filter((name) => ["zod", "yaml", "undici"].includes(name))).toEqual([]);
  expect(own).not.toContain("zod.js");
}

it("importing the package loads a handful of its modules, and no schemas, YAML or HTTP", () => {
  const loaded = loadedBy(`require("./dist/provider/index.js"); done();`);
  expect(loaded.own).toContain("provider/index.js");
  expect(loaded.own.length).toBeLessThanOrEqual(5);
  expectNoLibraries(loaded);
});

it("a program that only declares a deployment loads no schemas, no YAML and no HTTP", () => {
  const loaded = loadedBy(`
    const pulumi = require("@pulumi/pulumi");
    pulumi.runtime.setMocks({
      newResource: ({ name, inputs }) => ({ id: name + "-id", state: inputs }),
      call: () => ({}),
    });
    const { Deployment } = require("./dist/provider/index.js");
    const chat = new Deployment("chat", {
      source: "external_container",
      sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
    });
    chat.id.apply((id) => { if (id === "chat-id") done(); });`);
  expect(loaded.own).toContain("provider/pulumi/deployment.js");
  expect(loaded.packages).toContain("@pulumi/pulumi");
  expectNoLibraries(loaded);
});

it("the provider that the engine starts loads neither the SDK nor a library before it is used", () => {
  const loaded = loadedBy(`require("./dist/provider/pulumi/dynamic.js"); done();`);
  expect(loaded.own).toContain("provider/pulumi/dynamic.js");
  expect(loaded.packages).toEqual([]);
});

const checking = `require("./dist/provider/pulumi/dynamic.js").provider.check({}, { name: "chat" }).then(done);`;
const connecting = `
  const { Transport } = require("./dist/provider/control-plane/transport.js");
  const { send } = new Transport({ baseUrl: "http://127.0.0.1:1", headers: {}, maxConcurrency: 1 });
  typeof send === "function" && done();`;
/** As where another version is installed, in which this is not what it was. */
const withModule = (name: string, load: string) => `
  const { Module } = require("node:module");
  const { _load } = Module;
  Module._load = (name, ...more) => (${JSON.stringify(name)} === name ? ${load} : _load(name, ...more));`;

it("a check loads zod from one file, and neither YAML nor HTTP", () => {
  const loaded = loadedBy(checking);
  expect(loaded.own).toContain("zod.js");
  expect(loaded.countOf("zod")).toBe(1);
  expect(loaded.packages).not.toContain("yaml");
  expect(loaded.packages).not.toContain("undici");
});

it("and from its own, where another version of it is installed", () => {
  const loaded = loadedBy(`${withModule("zod/package.json", `{ version: "4.99.0" }`)} ${checking}`);
  expect(loaded.countOf("zod")).toBeGreaterThan(50);
});

it.each([
  ["of another major version is", `{ version: "3.25.76" }`],
  ["is not", `(() => { throw new Error("no such file"); })()`],
])("but not where one that %s installed: the file is all that is needed", (_what, found) => {
  const loaded = loadedBy(`${withModule("zod/package.json", found)} ${checking}`);
  expect(loaded.own).toContain("zod.js");
  expect(loaded.countOf("zod")).toBeLessThanOrEqual(1);
});

it("a connection loads half of undici", () => {
  expect(loadedBy(connecting).countOf("undici")).toBeLessThanOrEqual(60);
});

it("and all of it, where it is made of other files", () => {
  const missing = `(() => { throw new Error("no such file"); })()`;
  const loaded = loadedBy(`${withModule("undici/lib/api/index.js", missing)} ${connecting}`);
  expect(loaded.countOf("undici")).toBeGreaterThan(90);
});
