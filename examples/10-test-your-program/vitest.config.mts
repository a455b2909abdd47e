import { defineConfig } from "vitest/config";

export default defineConfig({
  // The package is a link in this repository; in a project of your own this line is not needed.
  resolve: { preserveSymlinks: true },
  test: { testTimeout: 180_000, hookTimeout: 60_000 },
});
