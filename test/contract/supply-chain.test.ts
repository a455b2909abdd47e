/** What a user installs with the package: whose code it is, when it runs, and how it is checked. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { packages, treeOf } from "../support/lock";

const read = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));
const fromElsewhere = Object.entries(packages).filter(
  ([path, { link }]) => /(^|\/)node_modules\//.test(path) && !link,
);

/** Adding one is a decision, because its code can read the key. */
const dependencies = ["undici", "yaml"];

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

it("the lock has the checksum of everything that comes from elsewhere", () => {
  expect(fromElsewhere.length).toBeGreaterThan(100);
  expect(fromElsewhere.filter(([, { integrity }]) => !integrity?.startsWith("sha512-"))).toEqual([]);
});
