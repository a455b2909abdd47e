import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmulator, type Emulator } from "../../emulator";
import { createStack, stateAtTheEnd, type Stack } from "../engine";
import { chanceOf } from "./support/chance";
import { injectFailures } from "./support/failures";

const count = 200;
const seed = Number(process.env["MODEL_SEED"] ?? Date.now() % 100_000);

/** JavaScript starts sooner. */
const program = {
  "index.js": `
const { Deployment } = require("pulumi-deployment-service");
for (let at = 0; at < ${count}; at++) {
  new Deployment("app-" + at, {
    source: "external_container",
    sourceRevisionConfig: { imageUri: "registry.example.com/app:1" },
    secrets: { KEY: "k-" + at },
    // What a run that was told of a failure has made all the same is this stack's.
    adopt: process.env.TAKE_OVER === "true",
  });
}`,
};

describe(`${count} deployments at once while one request in twenty goes wrong (MODEL_SEED=${seed})`, () => {
  let emulator: Emulator;
  let stack: Stack;

  beforeAll(async () => {
    emulator = await startEmulator({
      rollout: ({ name }) => ({ polls: Math.floor(chanceOf(seed, name).next() * 3) }),
    });
    injectFailures(emulator, { seed, rate: 0.05 });
    stack = await createStack({
      program,
      parallel: count,
      keeps: "everything",
      env: {
        DEPLOYMENT_SERVICE_URL: emulator.url,
        DEPLOYMENT_SERVICE_API_KEY: emulator.apiKey,
        DEPLOYMENT_SERVICE_POLL_INTERVAL: "500ms",
        DEPLOYMENT_SERVICE_REQUEST_TIMEOUT: "2s",
        ...stateAtTheEnd,
      },
    });
  });
  afterAll(async () => {
    await stack.dispose();
    await emulator.close();
  });

  it("are all there after a few runs, each once, rolled out, and in the state", async () => {
    let isDone = false;
    for (let run = 0; run < 10 && !isDone; run++) {
      const up = await stack.start(["up", "--yes", "--skip-preview"], { TAKE_OVER: String(run > 0) });
      isDone = (await up.result).exitCode === 0;
    }
    expect(isDone).toBe(true);
    const records = emulator.deployments();
    expect(records.map(({ name }) => name).sort()).toEqual(
      Array.from({ length: count }, (_, at) => `app-${at}`).sort(),
    );
    for (const { status, revisions, latest_revision_id: latest, active_revision_id: active } of records) {
      expect({ status, revisions: revisions.length, active }).toEqual({
        status: "READY",
        revisions: 1,
        active: latest,
      });
    }
    const held = stack.state().resources.filter(({ type }) => type.endsWith(":Deployment"));
    expect(held.map(({ id }) => id).sort()).toEqual(records.map(({ id }) => id).sort());
    expect(held.every(({ outputs }) => !("rollout" in (outputs?.["__private"] as object)))).toBe(true);
  });

  it("never have more requests under way than are allowed", () => {
    expect(emulator.requests().length).toBeGreaterThan(count);
    expect(emulator.requests().some(({ status }) => status !== 200 && status !== 201)).toBe(true);
    expect(emulator.peakInFlight).toBeLessThanOrEqual(8);
  });
});
