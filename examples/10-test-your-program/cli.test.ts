/** What the program does to a service: with the Pulumi CLI, against the emulator. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startEmulator, type Emulator } from "pulumi-deployment-service/emulator";
import { afterAll, beforeAll, expect, it } from "vitest";

let emulator: Emulator;
let backend: string;

/** State, and secrets in it, of this test alone. */
async function pulumi(...args: string[]): Promise<string> {
  const env = {
    ...process.env,
    PULUMI_BACKEND_URL: `file://${backend}`,
    PULUMI_CONFIG_PASSPHRASE: "for tests",
    PULUMI_STACK: "test",
    DEPLOYMENT_SERVICE_URL: emulator.url,
    DEPLOYMENT_SERVICE_API_KEY: emulator.apiKey,
    DEPLOYMENT_SERVICE_POLL_INTERVAL: "100ms",
  };
  const { stdout } = await promisify(execFile)("pulumi", ["--non-interactive", ...args], { env });
  return stdout;
}

beforeAll(async () => {
  backend = mkdtempSync(join(tmpdir(), "state-"));
  emulator = await startEmulator();
  await pulumi("stack", "init", "test");
  await pulumi("config", "set", "--secret", "modelApiKey", "sk-test");
});

afterAll(async () => {
  await pulumi("stack", "rm", "--yes", "--force");
  await emulator.close();
  rmSync(backend, { recursive: true, force: true });
});

it("deploys through a service that stumbles, and leaves nothing behind", async () => {
  emulator.fail({ when: { method: "GET" }, how: { status: 503 } });
  await pulumi("up", "--yes", "--skip-preview");
  expect(emulator.deployments()).toMatchObject([
    { name: "tutor", status: "READY", secrets: [{ name: "MODEL_API_KEY", value: "sk-test" }] },
  ]);

  await pulumi("destroy", "--yes", "--skip-preview");
  expect(emulator.deployments()).toEqual([]);
  expect(emulator.requestLines().filter((line) => line.startsWith("POST"))).toEqual([
    "POST /v2/deployments 201",
  ]);
});
