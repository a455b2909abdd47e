import { defineConfig } from "vitest/config";

/** Not part of `npm test`: these tests need Python, a package index and language hosts that are built for minutes. */
export default defineConfig({
  test: {
    name: "languages",
    include: ["test/languages/**/*.test.ts"],
    environment: "node",
    globalSetup: "test/languages/sdks.ts",
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
