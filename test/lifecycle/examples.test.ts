import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { useProduct, type ProductOptions } from "./support";

/** What an example needs beside its folder. */
const needs: Record<string, Omit<ProductOptions, "program">> = {
  "01-hello": { config: { "hello:modelApiKey": { secret: "sk-1" } } },
};

const examples = readdirSync("examples", { withFileTypes: true }).filter((entry) => entry.isDirectory());

describe.each(examples.map(({ name }) => name))("example %s", (name) => {
  const product = useProduct({ program: `examples/${name}`, ...needs[name] });

  it("is created, then previewed and refreshed without a change, then destroyed without a trace", async () => {
    const { writes } = await product.up();
    expect(writes.map(({ method }) => method)).toContain("POST");
    expect((await product.preview({ args: ["--expect-no-changes"] })).writes).toEqual([]);
    expect((await product.refresh({ args: ["--expect-no-changes"] })).writes).toEqual([]);
    await product.destroy();
    expect(product.emulator.deployments()).toEqual([]);
    expect(product.stack.state().resources).toEqual([]);
  });
});
