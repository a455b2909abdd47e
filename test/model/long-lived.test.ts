import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmulator, type Emulator } from "../../emulator";
import { injectFailures } from "./support/failures";
import { isLong } from "../support/runs";
import { deployments, type Round, stuckDeployments } from "./support/long-lived";

const rounds = isLong ? 10 : 4;

describe("a provider process that lives long", () => {
  let emulator: Emulator;
  let output = "";
  let exitCode: number | null;

  beforeAll(async () => {
    emulator = await startEmulator({
      rollout: ({ name }) => (name.startsWith("stuck") ? "never" : { polls: 1 }),
    });
    injectFailures(emulator, { seed: 1, rate: 0.05, spares: "calm" });
    const child = spawn(
      process.execPath,
      ["--expose-gc", "--import", "tsx", join(__dirname, "support", "long-lived.ts"), String(rounds)],
      {
        env: {
          PATH: process.env["PATH"],
          DEPLOYMENT_SERVICE_URL: emulator.url,
          DEPLOYMENT_SERVICE_API_KEY: emulator.apiKey,
          DEPLOYMENT_SERVICE_POLL_INTERVAL: "200ms",
          DEPLOYMENT_SERVICE_REQUEST_TIMEOUT: "500ms",
          DEPLOYMENT_SERVICE_MAX_CONCURRENCY: "4",
        },
        // The engine holds the other end of a pipe, and this test does so until the end.
        stdio: ["pipe", "pipe", "inherit"],
      },
    );
    child.stdout!.setEncoding("utf8").on("data", (text: string) => (output += text));
    [exitCode] = (await once(child, "close")) as [number | null];
  });
  afterAll(() => emulator.close());

  const lines = () =>
    output.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as object] : []));
  const played = () => lines().filter((line): line is Round => "operations" in line);

  it("has done its operations, of which some have failed", () => {
    const sum = (key: "operations" | "failures") => played().reduce((total, round) => total + round[key], 0);
    expect(sum("operations")).toBeGreaterThanOrEqual(deployments * rounds);
    // At least the creations whose rollout never ends, however fast the machine is.
    expect(sum("failures")).toBeGreaterThanOrEqual(stuckDeployments * rounds);
  });

  it("ends by itself once nothing is to be done", () => expect(exitCode).toBe(0));

  it("keeps no timer and no connection", () => {
    for (const { resources } of played()) {
      expect(resources.filter((resource) => /Timeout|TCP|Immediate|Request/i.test(resource))).toEqual([]);
    }
  });

  it("gives no warning of listeners or of anything else", () => {
    expect(lines().filter((line) => "warning" in line)).toEqual([]);
  });

  it("does not grow", () => {
    const [, second, ...later] = played().map(({ heap }) => heap);
    // Of each round, the deployments' labels alone are half a megabyte.
    expect(Math.min(...later.slice(-2)) - second!).toBeLessThan(1_500_000);
  });
});
