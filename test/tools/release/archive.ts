/**
 * The archive of a release from which the Pulumi CLI installs the plugin: `pulumi plugin install resource deployment-service`.
 * It is the npm package with all that it needs, so that installing it asks no package registry and runs no script; without a
 * `PulumiPlugin.yaml` at its top the CLI starts the executable and installs nothing.
 */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { neededPackages, type Lock } from "./locked";

const root = resolve(__dirname, "../../..");
const executable = "pulumi-resource-deployment-service";

/** What the CLI asks for by the name of the machine. One archive is for all of them: it is JavaScript. */
const platforms = ["linux", "darwin", "windows"].flatMap((system) =>
  ["amd64", "arm64"].map((processor) => `${system}-${processor}`),
);

export interface Release {
  /** The npm package, unpacked. */
  readonly packed: string;
  /** Where the archives are written. */
  readonly out: string;
  /** `owner/name` on GitHub: where the CLI finds the archives of a release. */
  readonly repository?: string;
}

/** Writes an archive for each platform and the schema that SDKs are made of; resolves to their files. */
export function writeRelease({ packed, out, repository }: Release): string[] {
  const work = mkdtempSync(join(tmpdir(), "archive-"));
  try {
    const folder = join(work, "plugin");
    cpSync(packed, folder, { recursive: true });
    const version = packageVersion(folder);
    const schema = finishSchema(join(folder, "plugin", "schema.json"), version, repository);
    addLaunchers(folder);

    mkdirSync(out, { recursive: true });
    const [first, ...others] = platforms.map((platform) =>
      join(out, `${executable}-v${version}-${platform}.tar.gz`),
    );
    const needs = join(work, "needs.txt");
    writeFileSync(needs, neededFiles().join("\n"));
    execFileSync("tar", ["-czf", resolve(first!), "-C", folder, ".", "-C", root, "-T", needs]);
    for (const other of others) copyFileSync(first!, other);
    writeFileSync(join(out, "schema.json"), schema);
    return [first!, ...others, join(out, "schema.json")];
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

export function packageVersion(folder: string): string {
  return (JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string }).version;
}

/** The schema as a release has it: with its version, and with the address by which SDKs find the archives. */
function finishSchema(file: string, version: string, repository?: string): string {
  const { name, ...schema } = JSON.parse(readFileSync(file, "utf8")) as { name: string };
  const addresses = repository === undefined ? {} : addressesOf(repository);
  const finished = `${JSON.stringify({ name, version, ...addresses, ...schema }, null, 2)}\n`;
  writeFileSync(file, finished);
  return finished;
}

function addressesOf(repository: string) {
  const address = `https://github.com/${repository}`;
  return {
    pluginDownloadURL: `github://api.github.com/${repository}`,
    repository: address,
    homepage: address,
  };
}

/** What runs of the packages that the plugin needs, as npm installed them here: neither types nor maps of sources. */
function neededFiles(): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Lock;
  };
  return neededPackages(packages)
    .flatMap(filesIn)
    .filter((file) => !/\.(d\.[cm]?ts|map)$/.test(file));
}

/** What is nested in a package is wanted for itself, or not at all. */
function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return entry.name === "node_modules" ? [] : filesIn(path);
  });
}

/** At the top, where the CLI looks for it. */
function addLaunchers(folder: string): void {
  const shell = `#!/bin/sh\nexec "$(dirname "$0")/plugin/${executable}" "$@"\n`;
  const windows = `@echo off\r\ncall "%~dp0plugin\\${executable}.cmd" %*\r\n`;
  writeFileSync(join(folder, executable), shell);
  chmodSync(join(folder, executable), 0o755);
  writeFileSync(join(folder, `${executable}.cmd`), windows);
}
