import { describe, expect, it } from "vitest";
import { stateAtTheEnd } from "../engine";
import { program, useProduct } from "./support";

const count = 40;

const deployments = `
for (let at = 0; at < ${count}; at++) {
  new Deployment("app-" + at, {
    source: "external_container",
    sourceRevisionConfig: { imageUri: "registry.example.com/app:1" },
    secrets: { KEY: "k-" + at },
  });
}`;

describe("many deployments", () => {
  const product = useProduct({
    program: program(deployments),
    emulator: { rollout: { polls: 2 } },
    env: { DEPLOYMENT_SERVICE_POLL_INTERVAL: "500ms", ...stateAtTheEnd },
  });

  it("are created with few requests at a time, and wait for their rollouts together", async () => {
    const { writes, requests } = await product.up({ args: ["--parallel", "120"] });
    expect(writes).toHaveLength(count);
    expect(product.emulator.peakInFlight).toBeLessThanOrEqual(8);
    const polls = requests.filter((line) => line.startsWith("GET"));
    // Each on its own would take two looks for each deployment.
    expect(polls.length).toBeLessThan(count);
    expect(product.stack.state().resources).toHaveLength(count + 2);
  });

  // A busy machine hands them over in more batches; the law of 3 to 5 is unit/control-plane/batch-reader.
  it("share the requests of a refresh", async () => {
    const { requests } = await product.refresh({ args: ["--expect-no-changes"] });
    expect(new Set(requests)).toEqual(new Set(["GET /v2/deployments 200"]));
    expect(requests.length).toBeLessThanOrEqual(10);
    expect(product.emulator.peakInFlight).toBeLessThanOrEqual(8);
  });

  it("are deleted together", async () => {
    const { requests } = await product.destroy({ args: ["--parallel", "120"] });
    expect(requests.filter((line) => line.startsWith("GET")).length).toBeLessThan(count);
    expect(product.emulator.peakInFlight).toBeLessThanOrEqual(8);
    expect(product.emulator.deployments()).toEqual([]);
  });
});
