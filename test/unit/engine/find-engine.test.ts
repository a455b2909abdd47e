import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeMachine } from "./fake-tools";

const pulumi = (version: string) => ({ pulumi: `echo ${version}` });
const host = { "pulumi-language-nodejs": "exit 0" };
const shim = { "pulumi-resource-pulumi-nodejs": "exit 0" };

/** Stands in for Go: "builds" into GOBIN what the folder it runs in is named after. */
const go = (version = "go1.26.8") => ({
  go: `
if [ "$1" = env ]; then echo ${version}; exit; fi
case "$PWD" in */pulumi) name=pulumi ;; *) name=pulumi-language-nodejs ;; esac
echo "$@" >> "$HOME/go-calls"
echo '#!/bin/sh' > "$GOBIN/$name"
/bin/chmod +x "$GOBIN/$name"`,
});

let machine: FakeMachine;
beforeEach(() => {
  machine = new FakeMachine();
});
afterEach(() => machine.dispose());

const engine = () => import("../../engine/engine.mjs");
const find = async (...path: string[]) => (await engine()).findEngine(machine.env(...path));
const prepare = async (...path: string[]) => (await engine()).prepareEngine(machine.env(...path));

describe("an installed CLI", () => {
  it("is taken when it is new enough and complete", async () => {
    const bin = machine.folder("bin", { ...pulumi("v3.216.0"), ...host, ...shim });
    expect(await find(bin)).toEqual({ version: "v3.216.0", source: "installed", folders: [bin] });
  });

  it("may have its language host elsewhere on the PATH", async () => {
    const bin = machine.folder("bin", { ...pulumi("v3.300.1"), ...shim });
    const other = machine.folder("other", host);
    expect((await find(bin, other))?.folders).toEqual([bin, other]);
  });

  it("may be a link: what lies beside the real file counts", async () => {
    const real = machine.folder("real", { ...pulumi("v3.259.0"), ...host, ...shim });
    const bin = machine.folder("bin", {});
    symlinkSync(join(real, "pulumi"), join(bin, "pulumi"));
    expect((await find(bin))?.folders).toEqual([bin, real]);
  });

  it("borrows the npm package's script when it has none to start dynamic providers", async () => {
    const bin = machine.folder("bin", { ...pulumi("v3.259.0"), ...host });
    const folders = (await find(bin))?.folders ?? [];
    expect(folders[0]).toBe(bin);
    expect(existsSync(join(folders[1] ?? "", "pulumi-resource-pulumi-nodejs"))).toBe(true);
  });

  it.each([
    ["too old", { ...pulumi("v3.215.9"), ...host }, "is v3.215.9, older than 3.216.0"],
    ["without a language host", pulumi("v3.259.0"), "has no pulumi-language-nodejs"],
    ["broken", { pulumi: "exit 1", ...host }, "does not tell its version"],
  ])("is left alone when it is %s", async (_, programs, reason) => {
    const bin = machine.folder("bin", programs);
    expect(await find(bin)).toBeUndefined();
    await expect(prepare(bin)).rejects.toThrow(reason);
  });
});

describe("a built CLI", () => {
  it("is built once, into a folder that is then complete", async () => {
    const bin = machine.folder("bin", go());
    const built = await prepare(bin);
    expect(built.source).toMatch(/^built in /);
    expect(readdirSync(built.folders[0] ?? "").sort()).toEqual([
      "build.log",
      "pulumi",
      "pulumi-language-nodejs",
      "pulumi-resource-pulumi-nodejs",
    ]);
    expect(readdirSync(join(machine.cache, "pulumi-deployment-service"))).toEqual([
      basename(built.folders[0] ?? ""),
    ]);

    expect(await prepare(bin)).toEqual({ ...built, source: "cache" });
    expect((await find())?.source).toBe("cache");
  });

  it("gives way to an installed one", async () => {
    await prepare(machine.folder("go", go()));
    const bin = machine.folder("bin", { ...pulumi("v3.260.0"), ...host });
    expect((await find(bin))?.source).toBe("installed");
  });

  it("may be built by two at once: both get the same folder", async () => {
    const bin = machine.folder("bin", go());
    const [one, other] = await Promise.all([prepare(bin), prepare(bin)]);
    expect(one.folders).toEqual(other.folders);
    expect(readdirSync(join(machine.cache, "pulumi-deployment-service"))).toHaveLength(1);
  });

  it("does not count while it is unfinished", async () => {
    mkdirSync(join(machine.cache, "pulumi-deployment-service", "building-abc"), { recursive: true });
    expect(await find()).toBeUndefined();
  });

  it("shows what Go said when it fails, and where the rest is", async () => {
    const bin = machine.folder("bin", {
      go: `[ "$1" = env ] && { echo go1.26.8; exit; }\necho "cannot reach the proxy" >&2\nexit 1`,
    });
    await expect(prepare(bin)).rejects.toThrow(
      /failed \(exit 1\):\ncannot reach the proxy\nThe whole output: .*build\.log/,
    );
    expect(await find()).toBeUndefined();
  });
});

describe("no CLI and nothing to build one with", () => {
  it("says what to install", async () => {
    await expect(prepare(machine.folder("empty", {}))).rejects.toThrow(
      [
        "No usable Pulumi CLI (no pulumi on the PATH; no go on the PATH).",
        "Install one of these and run the command again:",
        "  Pulumi CLI 3.216.0 or newer: https://www.pulumi.com/docs/install/",
        "  Go 1.25.11 or newer, to build the CLI: https://go.dev/doc/install",
      ].join("\n"),
    );
  });

  it("tells that Go is too old", async () => {
    await expect(prepare(machine.folder("bin", go("go1.25.10")))).rejects.toThrow(
      "is go1.25.10, older than 1.25.11",
    );
  });
});
