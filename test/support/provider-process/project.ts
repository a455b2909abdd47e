import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { inject } from "vitest";
import { writeFiles } from "../../engine/program";
import { packageName } from "./package-name";

const root = resolve(__dirname, "../../..");

export { packageName };

export interface PackageJson {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
  readonly scripts?: Readonly<Record<string, string>>;
}

export function packageJsonIn(folder: string): PackageJson {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as PackageJson;
}

/** Where npm put a package of the repository. */
export function installed(name: string): string {
  return join(root, "node_modules", name);
}

/** A user's project with the packed package in it. */
export interface Project {
  readonly folder: string;
  write(files: Readonly<Record<string, string>>): void;
  remove(): void;
}

/**
 * The project lies outside of the repository, and has nothing but the package, what the package says it depends on,
 * and an SDK: anything else that is required is missing.
 *
 * @param sdk the name in the repository's node_modules of the SDK to use
 * @param more packages that the project itself needs
 */
export function makeProject(sdk: string, more: readonly string[] = []): Project {
  const folder = mkdtempSync(join(tmpdir(), "project-"));
  const packed = inject("packed");
  const target = join(folder, "node_modules", packageName);
  cpSync(packed.folder, target, { recursive: true });
  const link = (name: string, from: string) => {
    const path = join(folder, "node_modules", name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(installed(from), path, "junction");
  };
  link("@pulumi/pulumi", sdk);
  for (const name of [...Object.keys(packageJsonIn(target).dependencies), ...more]) link(name, name);
  const write = (files: Readonly<Record<string, string>>) => writeFiles(folder, files);
  write({ "package.json": '{ "private": true }\n' });
  return { folder, write, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
