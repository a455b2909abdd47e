import { defineConfig } from "vitest/config";

/** Not part of `npm test`: these tests need Python and a package index. */
export default defineConfig({
  test: {
    name: "interop",
    include: ["test/interop/**/*.test.ts"],
    environment: "node",
    maxWorkers: "100%",
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
