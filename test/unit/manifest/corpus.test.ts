import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { cli } from "../cli/support";

/** Each invalid file stands next to what the command line says of it. */
const folder = resolve(__dirname, "../../manifest-corpus");
const names = readdirSync(folder)
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => name.slice(0, -".yaml".length));

describe("an invalid manifest", () => {
  it("the corpus has invalid manifests of many kinds", () => expect(names.length).toBeGreaterThan(60));

  it.each(names)("%s", async (name) => {
    const { code, stdout, stderr } = await cli(["validate", `${name}.yaml`], { cwd: folder });
    await expect(stdout).toMatchFileSnapshot(join(folder, `${name}.txt`));
    expect(stderr).toBe("");
    expect(code).toBe(/\d problems?/.test(stdout) ? 1 : 0);
    expect(readFileSync(join(folder, `${name}.txt`), "utf8")).not.toMatch(/sk-0123456789|hunter\d|123456\b/);
  });
});
