/** The engine shows what a plugin prints that cannot start. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

const plugin = resolve(__dirname, "../../plugin");
const executable = "pulumi-resource-deployment-service";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "plugin-"));
  cpSync(plugin, join(folder, "plugin"), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(env: Record<string, string>) {
  const { status, stderr, stdout } = spawnSync(join(folder, "plugin", executable), [], {
    env,
    encoding: "utf8",
  });
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  return stderr;
}

it.skipIf(process.platform === "win32")("Node.js is missing: it says which to install", () => {
  const path = join(folder, "bin");
  mkdirSync(path);
  for (const tool of ["dirname", "readlink"]) {
    const file = execFileSync("sh", ["-c", `command -v ${tool}`], { encoding: "utf8" }).trim();
    symlinkSync(file, join(path, tool));
  }
  expect(start({ PATH: path })).toMatch(
    /^The provider .* needs Node\.js 20\.18\.1 or newer on the PATH: https:/,
  );
});

it.skipIf(process.platform === "win32")("Node.js is too old: it says which to install", () => {
  const pretend = join(folder, "pretend.cjs");
  writeFileSync(pretend, `Object.defineProperty(process, "versions", { value: { node: "20.9.0" } });\n`);
  expect(start({ PATH: process.env["PATH"] ?? "", NODE_OPTIONS: `--require ${pretend}` })).toMatch(
    /^The provider .* needs Node\.js 20\.18\.1 or newer, and the one on the PATH is 20\.9\.0: https:/,
  );
});

it.skipIf(process.platform === "win32")("it is not built: it says what is missing and what to run", () => {
  const said = start({ PATH: process.env["PATH"] ?? "" });
  expect(said).toContain(`is not built: ${join(folder, "dist/provider/plugin/main.js")} is missing`);
  expect(said).toContain("run `npm install && npm run build`");
  expect(said.trim()).not.toContain("\n");
});

it.skipIf(process.platform === "win32")("the SDK is missing: it says where it looked and what to run", () => {
  mkdirSync(join(folder, "dist/provider/plugin"), { recursive: true });
  writeFileSync(join(folder, "dist/provider/plugin/main.js"), "");
  const said = start({ PATH: process.env["PATH"] ?? "" });
  expect(said).toContain(`which is not found from ${join(folder, "plugin")}`);
  expect(said).toContain("run `npm install @pulumi/pulumi pulumi-deployment-service`");
});
