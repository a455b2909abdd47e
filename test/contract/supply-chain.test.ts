/** What a user takes in with the package: whose code, made to run when, checked how. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { packages, treeOf } from "../support/lock";

const read = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));
const fromElsewhere = Object.entries(packages).filter(
  ([path, { link }]) => /(^|\/)node_modules\//.test(path) && !link,
);

/** Another one is a decision: whose code runs with the key, and how much of it. */
const dependencies = ["ignore", "undici", "yaml", "zod"];

describe("the package", () => {
  const packed = inject("packed");
  const manifest = read(join(packed.folder, "package.json")) as Record<string, object | undefined>;

  it("depends on these packages and on no other, and each of them on nothing", () => {
    expect(Object.keys(manifest["dependencies"]!)).toEqual(dependencies);
    expect(treeOf(dependencies)).toEqual(dependencies.map((name) => `node_modules/${name}`));
    expect(Object.keys(manifest["peerDependencies"]!)).toEqual(["@pulumi/pulumi"]);
    expect(manifest["optionalDependencies"] ?? manifest["bundleDependencies"]).toBeUndefined();
  });

  it("has no dependency that runs something when it is installed", () => {
    expect(treeOf(dependencies).filter((path) => packages[path]!.hasInstallScript)).toEqual([]);
  });
});

describe("the lock", () => {
  it("has the checksum of everything that comes from elsewhere", () => {
    expect(fromElsewhere.length).toBeGreaterThan(100);
    expect(fromElsewhere.filter(([, { integrity }]) => !integrity?.startsWith("sha512-"))).toEqual([]);
  });

  it("names no address: everybody's own registry is asked", () => {
    expect(fromElsewhere.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
    const inRepository = Object.values(packages).flatMap(({ link, resolved = "" }) =>
      link ? [resolved] : [],
    );
    expect(inRepository.filter((path) => path !== "" && !path.startsWith("examples/"))).toEqual([]);
  });

  it("knows of every install script of what the tests use, and there are few", () => {
    const scripts = fromElsewhere.filter(([, { hasInstallScript }]) => hasInstallScript);
    const names = scripts.map(([path]) =>
      path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length),
    );
    // The Pulumi SDK brings protobufjs; the rest is of development.
    expect([...new Set(names)].sort()).toEqual(["esbuild", "protobufjs"]);
  });
});
