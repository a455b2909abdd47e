import { startEmulator } from "../../../emulator";
import { createStack } from "../../engine";
import type { Benchmark, Figure } from "./benchmark";

const count = 250;

const program = `
const { Deployment } = require("pulumi-deployment-service");
for (let i = 0; i < ${count}; i++) {
  new Deployment("app-" + i, {
    source: "external_container",
    sourceRevisionConfig: { imageUri: "registry.example.com/app:" + (process.env.TAG || "1") },
  });
}`;

/** The real engine with a stack of 250 deployments: time of each run, and the requests that it takes. */
export const engineRuns: Benchmark = {
  name: "engine-runs",
  async run() {
    const emulator = await startEmulator({ rollout: { looks: 1 } });
    const stack = await createStack({
      program: { "Pulumi.yaml": "name: bench\nruntime: nodejs\n", "index.js": program },
      env: {
        DEPLOYMENT_SERVICE_URL: emulator.url,
        DEPLOYMENT_SERVICE_API_KEY: emulator.apiKey,
        DEPLOYMENT_SERVICE_POLL_INTERVAL: "200ms",
      },
    });
    const figures: Figure[] = [];
    const measure = async (what: string, run: () => Promise<unknown>) => {
      emulator.clearRequests();
      const started = performance.now();
      await run();
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      figures.push({
        what: `${what} of ${count}`,
        value: `${seconds} s, ${emulator.requests().length} requests`,
      });
    };
    try {
      await measure("up (create)", () => stack.up());
      await measure("preview without a change", () => stack.preview());
      await measure("up without a change", () => stack.up());
      await measure("refresh", () => stack.refresh());
      await measure("up (new revision)", () => stack.up({ env: { TAG: "2" } }));
      await measure("destroy", () => stack.destroy());
    } finally {
      await stack.dispose();
      await emulator.close();
    }
    return figures;
  },
};
