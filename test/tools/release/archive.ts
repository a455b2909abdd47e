/**
 * The archive of a release from which the Pulumi CLI installs the plugin: `pulumi plugin install resource deployment-service`.
 * It is the npm package with all that it needs, so that installing it asks no package registry and runs no script; without a
 * `PulumiPlugin.yaml` at its top the CLI starts the executable and installs nothing.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { packages, treeOf } from "../../support/lock";

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

/** Writes an archive for each platform, the schema that SDKs are made of, and the checksums of all; returns their files. */
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
    const { dependencies, peerDependencies } = packages[""]!;
    for (const place of treeOf(Object.keys({ ...dependencies, ...peerDependencies })))
      copyWhatRuns(place, folder);
    execFileSync("tar", ["-czf", resolve(first!), "-C", folder, "."]);
    for (const other of others) copyFileSync(first!, other);
    writeFileSync(join(out, "schema.json"), schema);
    const files = [first!, ...others, join(out, "schema.json")];
    return [...files, writeChecksums(out, files)];
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** As `sha256sum --check` reads it. */
function writeChecksums(out: string, files: readonly string[]): string {
  const digest = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex");
  const list = join(out, "SHA256SUMS");
  writeFileSync(list, files.map((file) => `${digest(file)}  ${basename(file)}\n`).join(""));
  return list;
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

/**
 * Copies a package as npm installed it here, without types and source maps. tar then reads files that nobody else touches:
 * it fails if one changes meanwhile. What is nested in the package is copied for itself, or not at all.
 */
function copyWhatRuns(place: string, to: string): void {
  const runs = (path: string) => basename(path) !== "node_modules" && !/\.(d\.[cm]?ts|map)$/.test(path);
  cpSync(join(root, place), join(to, place), { recursive: true, filter: runs });
}

/** At the top, where the CLI looks for it. */
function addLaunchers(folder: string): void {
  const shell = `#!/bin/sh\nexec "$(dirname "$0")/plugin/${executable}" "$@"\n`;
  const windows = `@echo off\r\ncall "%~dp0plugin\\${executable}.cmd" %*\r\n`;
  writeFileSync(join(folder, executable), shell);
  chmodSync(join(folder, executable), 0o755);
  writeFileSync(join(folder, `${executable}.cmd`), windows);
}
