import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** All projects run together, and more files than cores: most of the time goes into processes that a test waits for. */
const maxWorkers = Math.ceil(availableParallelism() * 1.5);
const project = (name: string, include: string[], more: object = {}) => ({
  test: { name, include, environment: "node" as const, maxWorkers, ...more },
});

/** Files that replace a module, so that what they import is theirs alone. */
const isolated = "test/unit/**/*.isolated.test.ts";

const minutes = (count: number) => ({ testTimeout: count * 60_000, hookTimeout: count * 60_000 });

export default defineConfig({
  test: {
    projects: [
      // Two thirds of what these files cost is loading what they import, so they share it.
      project("unit", ["test/unit/**/*.test.ts", "test/emulator/**/*.test.ts"], {
        exclude: [isolated],
        isolate: false,
        ...minutes(1),
      }),
      project("unit-isolated", [isolated], minutes(1)),
      project("contract", ["test/contract/**/*.test.ts"], {
        globalSetup: "test/contract/pack.ts",
        ...minutes(2),
      }),
      project("model", ["test/model/**/*.test.ts"], minutes(5)),
      project("faults", ["test/faults/**/*.test.ts"], {
        globalSetup: "test/contract/pack.ts",
        ...minutes(15),
      }),
      project("docs", ["test/docs/**/*.test.ts"], { isolate: false, ...minutes(5) }),
      project("e2e", ["test/e2e/**/*.test.ts"], { isolate: false, ...minutes(5) }),
    ],
  },
});
