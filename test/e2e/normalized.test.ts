import { describe, expect, it } from "vitest";
import type { Values } from "../../schema/tree";
import { declaring, useProduct } from "./support";

const deployment = (cpu: number, version: number) => ({
  source: "external_container",
  sourceConfig: {
    customUrl: "https://Chat.example.com/",
    resourceSpec: { cpu, sidecars: [{ name: "log" }] },
  },
  sourceRevisionConfig: { imageUri: `registry.example.com/app:${version}` },
  secrets: { MODEL_API_KEY: "sk-canary-wxyz" },
});
const first = { rounded: deployment(0.6, 1), revised: deployment(0.6, 1) };
const second = { rounded: deployment(0.58, 1), revised: deployment(0.6, 2) };

describe("a service that normalizes what it is sent, and shows secrets in a way of its own", () => {
  const product = useProduct({
    program: declaring(first),
    emulator: { normalizations: ["rounds", "spells", "injects"], secrets: "tail" },
  });
  const expectClean = async () => {
    await product.refresh({ args: ["--expect-no-changes"] });
    await product.preview({ args: ["--expect-no-changes"] });
  };
  const told = (screen: string) => screen.split("\n").filter((line) => line.includes("the service stored"));

  it("makes one deployment of a creation whose response was lost, and tells what it made of it", async () => {
    product.emulator.fail({ when: { method: "POST", nth: 1 }, how: { reset: "after" } });
    const { screen } = await product.up();
    expect(product.emulator.deployments()).toHaveLength(2);
    expect(
      told(screen)
        .map((line) => line.trim())
        .sort(),
    ).toEqual(
      ["revised", "rounded"].flatMap((name) => [
        expect.stringContaining(
          `${name}: the service stored sourceConfig.customUrl as "https://chat.example.com"`,
        ),
        expect.stringContaining(`${name}: the service stored sourceConfig.resourceSpec.sidecars as`),
      ]),
    );
    await expectClean();
  });

  it("is told of once, and what somebody changed during an update is drift all the same", async () => {
    product.emulator.change("revised", ({ source_config }) => {
      Object.assign(source_config["resource_spec"] as object, { cpu: 4 });
    });
    product.stack.write(declaring(second));
    const { screen } = await product.up();
    expect(told(screen)).toEqual([
      expect.stringContaining(
        "rounded: the service stored sourceConfig.resourceSpec.cpu as 0.6 instead of 0.58",
      ),
    ]);
    const refreshed = await product.refresh({ diff: true });
    expect(refreshed.screen).toContain("~ cpu: 0.6 => 4");
    expect(refreshed.screen).toContain("~ 1 updated");
    const { writes } = await product.up();
    expect(writes).toHaveLength(1);
    await expectClean();
  });

  it("leaves the names of secrets in the state, and nothing by which one could be guessed", () => {
    expect(product.stack.stateText()).not.toMatch(/canary|wxyz/);
    const { normalizations } = product.stack.resource("rounded").outputs?.["__private"] as Values;
    expect(normalizations).toEqual([
      expect.objectContaining({ path: ["sourceConfig", "customUrl"], shown: "https://chat.example.com" }),
      { path: ["sourceConfig", "resourceSpec", "cpu"], sent: 0.58, shown: 0.6 },
      expect.objectContaining({ path: ["sourceConfig", "resourceSpec", "sidecars"] }),
    ]);
  });
});
