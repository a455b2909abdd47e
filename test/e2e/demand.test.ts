/** What it takes to run a stack, as a reviewer of a change sees it. */
import { describe, expect, it } from "vitest";
import { cli } from "../unit/cli/support";
import { programOfBoth } from "./plugin-support";
import { useProduct } from "./support";

const spec = (maxScale: number) => ({ minScale: 1, maxScale, cpu: 1, memoryMb: 2048 });
const declare = (maxScale: number, source = "external_container") => {
  const args = (scale: number) => ({
    source,
    sourceConfig: { resourceSpec: spec(scale) },
    sourceRevisionConfig: { imageUri: "registry.example.com/app:1" },
  });
  return programOfBoth(
    ["dynamic", "packaged"]
      .map(
        (provider) => `
new ${provider}.Deployment("${provider}", ${JSON.stringify(args(maxScale))});
new ${provider}.Deployment("${provider}-kept", ${JSON.stringify({ ...args(3), source: "external_container" })});`,
      )
      .join(""),
  );
};

describe("a preview says what a deployment takes to run, with both providers", () => {
  const product = useProduct({ program: declare(3) });
  const linesIn = (output: string) =>
    output
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => /^(dynamic|packaged)(-kept)?: .*takes/.test(line))
      .sort();

  it("when it is created, when its size changes, and when it is replaced: once each", async () => {
    const size = "takes 2 to 6 vCPU, 4 to 12 GiB (agent and queue)";
    const names = ["dynamic", "dynamic-kept", "packaged", "packaged-kept"];
    expect(linesIn((await product.preview()).output)).toEqual(names.map((name) => `${name}: ${size}`).sort());
    const { stdout: first } = await product.run(["preview", "--json"]);
    const created = await cli(["summary"], { stdin: first });
    expect(created.stdout).toContain("Total of the deployments listed here: 8 to 24 vCPU, 16 to 48 GiB.");
    await product.up();
    expect(linesIn((await product.preview()).output)).toEqual([]);

    product.stack.write(declare(40));
    expect(linesIn((await product.preview()).output)).toEqual(
      ["dynamic", "packaged"].map(
        (name) =>
          `${name}: updates settings, no new revision (sourceConfig.resourceSpec.maxScale); ` +
          "takes 2 to 80 vCPU, 4 to 160 GiB; was 2 to 6, 4 to 12 (agent and queue)",
      ),
    );
    const { stdout } = await product.run(["preview", "--json", "--show-sames"]);
    const changed = await cli(["summary"], { stdin: stdout });
    expect(changed.stdout.split("\n").slice(4)).toEqual([
      "| Deployment | What happens | Why |",
      "| --- | --- | --- |",
      ...["dynamic", "packaged"].map(
        (name) =>
          `| \`${name}\` | settings<br>\`takes 2 to 80 vCPU, 4 to 160 GiB; was 2 to 6, 4 to 12 (agent and queue)\` | ` +
          "`sourceConfig.resourceSpec.maxScale`: `3` → `40` |",
      ),
      "",
      "Total of the deployments listed here: 8 to 172 vCPU, 16 to 344 GiB; was 8 to 24, 16 to 48.",
      "",
    ]);
    const { stdout: json } = await cli(["summary", "--json"], { stdin: stdout });
    expect(JSON.parse(json)).toMatchObject({
      total: { before: { cpu: { least: 8, most: 24 } }, after: { cpu: { least: 8, most: 172 } } },
      deployments: [{ demand: { after: { memory: { least: 4096, most: 163840 } } } }, {}],
    });

    product.stack.write(declare(3, "internal_container"));
    expect(linesIn((await product.preview()).output)).toEqual(
      ["dynamic", "packaged"].map(
        (name) =>
          `${name}: replaces the deployment (source); its id changes, and usually its address; ${size}`,
      ),
    );
  });
});
