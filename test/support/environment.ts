/** What a test sets in the environment ends with the test, and no proxy stands between a test and its own server. */
import { afterEach, vi } from "vitest";

for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"]) {
  delete process.env[name];
  delete process.env[name.toLowerCase()];
}
afterEach(() => void vi.unstubAllEnvs());
