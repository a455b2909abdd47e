/** What a new user does: a project from nothing, the emulator beside it, and the real CLI. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { Command, createStack, type Stack } from "../engine";
import { npmInstall } from "../support/npm-install";

const main = resolve("dist/provider/cli/main.js");

let folder: string;
let emulator: Command;
let url: string;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "init-")));
  emulator = new Command(process.execPath, [main, "emulator", "--port", "0", "--state", "emulator.json"], {
    cwd: folder,
    env: {},
  });
  await emulator.waitFor("Requests:");
  url = /DEPLOYMENT_SERVICE_URL=(\S+)/.exec(emulator.output())![1]!;
});
afterAll(async () => {
  await emulator.kill();
  rmSync(folder, { recursive: true, force: true });
});

describe.each([
  ["TypeScript", []],
  ["a manifest", ["--yaml"]],
] as const)("a new project in %s", (kind, flags) => {
  let stack: Stack;
  beforeAll(async () => {
    const name = kind.replace(" ", "-").toLowerCase();
    execFileSync(process.execPath, [main, "init", name, ...flags], { cwd: folder });
    npmInstall(join(folder, name), inject("packed").folder);
    stack = await createStack({ program: join(folder, name), inPlace: true, isPlain: true });
    // Another port than the one it begins with, which another test may be using.
    await stack.setConfig("deployment-service:baseUrl", url);
  });
  afterAll(() => stack.dispose());

  it("runs against the emulator at once, and leaves nothing behind", async () => {
    const { output } = await stack.up();
    expect(output).toMatch(/status *: "READY"/);
    await stack.destroy();
    expect(emulator.output()).toMatch(/^DELETE \/v2\/deployments\/[-0-9a-f]{36} 20\d \d+ms$/m);
    expect(readFileSync(join(folder, "emulator.json"), "utf8")).toMatch(/"deployments": \[\]/);
  });
});

describe("the emulator as a process", () => {
  it.each(["SIGINT", "SIGTERM"] as const)("ends cleanly on %s", async (signal) => {
    const running = new Command(process.execPath, [main, "emulator", "--port", "0"], {
      cwd: folder,
      env: {},
    });
    await running.waitFor("Requests:");
    expect(await running.kill(signal)).toMatchObject({ exitCode: 0, stderr: "" });
  });
});
