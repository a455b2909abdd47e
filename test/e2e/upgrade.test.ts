import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Values } from "../../provider/values";
import { secretSignature, signatureKey } from "../../provider/signatures";
import { declaring, useProduct } from "./support";

interface Exported {
  readonly deployment: { readonly resources: readonly { readonly outputs?: Record<string, unknown> }[] };
}

describe("a state of an earlier version, whose private state is encrypted and holds digests", () => {
  const program = (imageUri: string) =>
    declaring({
      chat: {
        source: "external_container",
        sourceConfig: { resourceSpec: { cpu: 0.58 } },
        sourceRevisionConfig: { imageUri },
        secrets: { MODEL_API_KEY: "sk-canary-wxyz" },
      },
    });
  const product = useProduct({
    program: program("registry.example.com/app:1"),
    emulator: { normalizations: ["rounds"], secrets: "word" },
  });
  const digests = { sent: "digest-of-what-was-sent", taken: "digest-of-what-was-shown" };

  async function rewrite(privateState: (now: Values) => Values): Promise<void> {
    const { output } = await product.run(["stack", "export", "--show-secrets"]);
    const exported = JSON.parse(output) as Exported;
    for (const { outputs } of exported.deployment.resources) {
      if (outputs?.["__private"] === undefined) continue;
      const plaintext = JSON.stringify(privateState(outputs["__private"] as Values));
      outputs["__private"] = { [signatureKey]: secretSignature, plaintext };
    }
    const file = join(product.stack.folder, "earlier.json");
    writeFileSync(file, JSON.stringify(exported));
    await product.run(["stack", "import", "--file", file]);
  }

  it("shows no change in a preview, a refresh and an update, and nothing is sent", async () => {
    await product.up();
    await rewrite(({ normalizations: _, ...rest }) => ({
      ...rest,
      normalized: [
        { path: ["sourceConfig", "resourceSpec", "cpu"], ...digests },
        { path: ["secrets", "MODEL_API_KEY"], ...digests },
      ],
    }));
    expect(product.stack.stateText()).toMatch(/"__private":\{"\w+":"\w+","ciphertext"/);
    await product.preview({ args: ["--expect-no-changes"] });
    await product.refresh({ args: ["--expect-no-changes"] });
    await product.preview({ args: ["--expect-no-changes"] });
    const { writes } = await product.up({ args: ["--expect-no-changes"] });
    expect(writes).toEqual([]);
  });

  it("is written anew by the refresh, without the digests, and in clear by the next update", async () => {
    const normalizations = [
      { path: ["sourceConfig", "resourceSpec", "cpu"], sent: 0.58, shown: 0.6 },
      { path: ["secrets", "MODEL_API_KEY"] },
    ];
    // The engine goes on encrypting what it had encrypted before.
    const { output } = await product.run(["stack", "export", "--show-secrets"]);
    expect(output).not.toContain("digest-of");
    expect(output).toContain(JSON.stringify(JSON.stringify({ normalizations }).slice(1, -1)).slice(1, -1));
    product.stack.write(program("registry.example.com/app:2"));
    await product.up();
    expect(product.stack.resource("chat").outputs?.["__private"]).toMatchObject({ normalizations });
  });

  it("tells from then on what somebody changes", async () => {
    product.emulator.change("chat", ({ source_config }) => {
      Object.assign(source_config["resource_spec"] as object, { cpu: 4 });
    });
    const { screen } = await product.refresh({ diff: true });
    expect(screen).toContain("~ cpu: 0.58 => 4");
  });
});
