/** A new user's first steps: a new project, the emulator and the real CLI. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { Command, createStack, type Stack } from "../engine";
import { npmInstall } from "../support/npm-install";
import { builtCommand } from "../support/product";

let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "init-")));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a new project, of the public service,", () => {
  let emulator: Command;
  let saved: string;
  let stack: Stack;
  beforeAll(async () => {
    saved = join(folder, "state.json");
    const options = ["--port", "0", "--dialect", "langsmith", "--state", saved];
    emulator = new Command(process.execPath, [builtCommand, "emulator", ...options], {
      cwd: folder,
      env: {},
    });
    await emulator.waitFor("Requests:");
    const url = /DEPLOYMENT_SERVICE_URL=(\S+)/.exec(emulator.output())![1]!;
    execFileSync(process.execPath, [builtCommand, "init", "chat", "--dialect", "langsmith"], { cwd: folder });
    npmInstall(join(folder, "chat"), inject("packed").folder);
    const env = { DEPLOYMENT_SERVICE_POLL_INTERVAL: "100ms" };
    stack = await createStack({ program: join(folder, "chat"), inPlace: true, env });
    // The default port may be in use by another test.
    await stack.setConfig("deployment-service:baseUrl", url);
  });
  afterAll(async () => {
    await stack?.dispose();
    await emulator?.kill();
  });

  it("runs against the emulator at once, and leaves nothing behind; a signal ends the emulator cleanly", async () => {
    const { output } = await stack.up();
    expect(output).toMatch(/status *: "READY"/);
    await stack.destroy();
    expect(emulator.output()).toMatch(/^DELETE \/v2\/deployments\/[-0-9a-f]{36} 20\d \d+ms$/m);
    expect(readFileSync(saved, "utf8")).toMatch(/"deployments": \[\]/);
    expect(await emulator.kill("SIGTERM")).toMatchObject({ exitCode: 0, stderr: "" });
  });
});
