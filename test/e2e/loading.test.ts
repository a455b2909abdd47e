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
  return { own: below(join(root, "dist/")), packages: [...new Set(names)] };
}

function expectNoLibraries({ packages }: Loaded): void {
  expect(packages.filter((name) => ["zod", "yaml", "undici"].includes(name))).toEqual([]);
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
