/** A new user's first steps: a new project, the emulator and the real CLI. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { Command, createStack, type Stack } from "../engine";
import { npmInstall } from "../support/npm-install";
import { isLong } from "../support/runs";

const main = resolve("dist/cli/main.js");

let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "init-")));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const projects = [
  {
    kind: "TypeScript, with a folder of source code",
    flags: ["--dialect", "langsmith"],
    dialect: "langsmith",
    shown: /status *: "READY"/,
  },
  { kind: "a manifest", flags: ["--yaml"], dialect: "standard", shown: /a-manifest *: "https:/ },
];

describe.each(isLong ? projects : projects.slice(0, 1))(
  "a new project in $kind",
  ({ kind, flags, dialect, shown }) => {
    const name = kind.replace(/\W+/g, "-").toLowerCase();
    let emulator: Command;
    let saved: string;
    let stack: Stack;
    beforeAll(async () => {
      saved = join(folder, `${name}.json`);
      const options = ["--port", "0", "--dialect", dialect, "--state", saved];
      emulator = new Command(process.execPath, [main, "emulator", ...options], { cwd: folder, env: {} });
      await emulator.waitFor("Requests:");
      const url = /DEPLOYMENT_SERVICE_URL=(\S+)/.exec(emulator.output())![1]!;
      execFileSync(process.execPath, [main, "init", name, ...flags], { cwd: folder });
      npmInstall(join(folder, name), inject("packed").folder);
      const env = { DEPLOYMENT_SERVICE_POLL_INTERVAL: "100ms" };
      stack = await createStack({ program: join(folder, name), inPlace: true, env });
      // The default port may be in use by another test.
      await stack.setConfig("deployment-service:baseUrl", url);
    });
    afterAll(async () => {
      await stack?.dispose();
      await emulator?.kill();
    });

    it("runs against the emulator at once, and leaves nothing behind; a signal ends the emulator cleanly", async () => {
      const { output } = await stack.up();
      expect(output).toMatch(shown);
      await stack.destroy();
      expect(emulator.output()).toMatch(/^DELETE \/v2\/deployments\/[-0-9a-f]{36} 20\d \d+ms$/m);
      expect(readFileSync(saved, "utf8")).toMatch(/"deployments": \[\]/);
      expect(await emulator.kill(dialect === "standard" ? "SIGINT" : "SIGTERM")).toMatchObject({
        exitCode: 0,
        stderr: "",
      });
    });
  },
);
