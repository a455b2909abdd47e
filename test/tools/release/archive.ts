/**
 * The archive of a release from which the Pulumi CLI installs the plugin: `pulumi plugin install resource deployment-service`.
 * It is the npm package with all that it needs, so that installing it asks no package registry and runs no script; without a
 * `PulumiPlugin.yaml` at its top the CLI starts the executable and installs nothing.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
  const folder = mkdtempSync(join(tmpdir(), "archive-"));
  try {
    cpSync(packed, folder, { recursive: true });
    const version = packageVersion(folder);
    const schema = finishSchema(join(folder, "plugin", "schema.json"), version, repository);
    addNeeds(folder);
    addLaunchers(folder);

    mkdirSync(out, { recursive: true });
    const [first, ...others] = platforms.map((platform) => join(out, `${executable}-v${version}-${platform}.tar.gz`));
    execFileSync("tar", ["-czf", resolve(first!), "-C", folder, "."]);
    for (const other of others) copyFileSync(first!, other);
    writeFileSync(join(out, "schema.json"), schema);
    return [first!, ...others, join(out, "schema.json")];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function packageVersion(folder: string): string {
  return (JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string }).version;
}

/** The schema as a release has it: with its version, and with the address by which SDKs find the archives. */
function finishSchema(file: string, version: string, repository?: string): string {
  const { name, ...schema } = JSON.parse(readFileSync(file, "utf8")) as { name: string };
  const from = repository === undefined ? {} : placeOf(repository);
  const finished = `${JSON.stringify({ name, version, ...from, ...schema }, null, 2)}\n`;
  writeFileSync(file, finished);
  return finished;
}

function placeOf(repository: string) {
  const address = `https://github.com/${repository}`;
  return { pluginDownloadURL: `github://api.github.com/${repository}`, repository: address, homepage: address };
}

function addNeeds(folder: string): void {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as { packages: Lock };
  const places = neededPackages(packages);
  for (const place of places) {
    cpSync(join(root, place), join(folder, place), {
      recursive: true,
      // What is nested there is wanted for itself, or not at all.
      filter: (from) => from !== join(root, place, "node_modules"),
    });
  }
}

/** At the top, where the CLI looks for it. */
function addLaunchers(folder: string): void {
  const shell = `#!/bin/sh\nexec "$(dirname "$0")/plugin/${executable}" "$@"\n`;
  const windows = `@echo off\r\ncall "%~dp0plugin\\${executable}.cmd" %*\r\n`;
  writeFileSync(join(folder, executable), shell);
  chmodSync(join(folder, executable), 0o755);
  writeFileSync(join(folder, `${executable}.cmd`), windows);
}
