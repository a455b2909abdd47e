import { readdirSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { outside } from "../docs/outside";
import { langsmith } from "../../emulator";
import { useProduct, type ProductOptions } from "./support";

interface Needs extends Omit<ProductOptions, "program"> {
  /** What must have happened on the service before. */
  readonly outside?: string;
}

/** What an example needs beside its folder. */
const needs: Record<string, Needs> = {
  "01-hello": { config: { "hello:modelApiKey": { secret: "sk-1" } } },
  "02-yaml-to-program": { config: { "yaml-to-program:modelApiKey": { secret: "sk-1" } } },
  "03-ci": { config: { "ci:modelApiKey": { secret: "sk-1" } } },
  "05-repositories": {
    config: { "repositories:integrationId": "6f0e6c1a-1f0b-4c53-9c3e-3f1c9a0d2b11" },
    outside: "repositories",
  },
  "06-public-service": {
    config: {
      "public-service:integrationId": "6f0e6c1a-1f0b-4c53-9c3e-3f1c9a0d2b11",
      "public-service:repoUrl": "https://code.example.com/acme/chat",
      "public-service:modelApiKey": { secret: "sk-1" },
    },
    emulator: { rules: langsmith },
  },
};

const examples = readdirSync("examples", { withFileTypes: true }).filter((entry) => entry.isDirectory());

describe.each(examples.map(({ name }) => name))("example %s", (name) => {
  const { outside: event, ...options }: Needs = needs[name] ?? {};
  const product = useProduct({ program: `examples/${name}`, ...options });
  beforeAll(() => {
    if (event !== undefined) outside[event]!(product.emulator);
  });

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
