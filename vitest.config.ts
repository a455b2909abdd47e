import { defineConfig } from "vitest/config";

const project = (name: string, include: string[], more: object = {}) => ({
  test: { name, include, environment: "node", ...more },
});

export default defineConfig({
  test: {
    projects: [
      project("unit", ["test/unit/**/*.test.ts", "test/emulator/**/*.test.ts"]),
      project("contract", ["test/contract/**/*.test.ts"], {
        globalSetup: "test/contract/pack.ts",
        testTimeout: 60_000,
        hookTimeout: 60_000,
        maxWorkers: 2,
      }),
      project("docs", ["test/docs/**/*.test.ts"], { testTimeout: 120_000, hookTimeout: 120_000 }),
      project("lifecycle", ["test/lifecycle/**/*.test.ts"], {
        testTimeout: 300_000,
        hookTimeout: 300_000,
        fileParallelism: true,
        maxWorkers: 2,
      }),
    ],
  },
});
