/** One program in three languages: what the service is sent, and what is in the state, does not tell which. */
import { describe, expect, it } from "vitest";
import type { Json } from "../../emulator";
import { languages, useLanguage, type Language } from "./support";

interface Trace {
  readonly requests: readonly { method: string; path: string; body?: Json }[];
  readonly resources: Readonly<Record<string, object>>;
}
const traces = new Map<Language, Trace>();

describe.each(languages)("the example in %s", (language) => {
  const product = useLanguage(language);

  it("is created as it was previewed, and is then as declared", async () => {
    expect((await product.preview()).requests).toEqual([]);
    const { output } = await product.up();
    expect(output).toMatch(/\+ 3 created/);
    const requests = product.emulator.requests().filter(({ method }) => method !== "GET");
    const resources = Object.fromEntries(
      ["search", "chat"].map((name) => {
        const { type, inputs, outputs } = product.stack.resource(name);
        const { createdAt: _, updatedAt: __, ...same } = outputs as Record<string, unknown>;
        return [name, { type, inputs, outputs: same }];
      }),
    );
    traces.set(language, {
      requests: requests.map(({ method, path, body }) => ({ method, path, ...(body !== undefined && { body }) })),
      resources,
    });
    await product.preview({ args: ["--expect-no-changes"] });
    await product.refresh({ args: ["--expect-no-changes"] });
  });

  it("is destroyed", async () => {
    await product.destroy();
    expect(product.emulator.deployments()).toEqual([]);
  });
});

describe("the three", () => {
  const [first, ...others] = languages;

  it.each(others)("send the same and keep the same: %s", (language) => {
    expect(traces.get(first)!.requests).toHaveLength(2);
    expect(traces.get(language)).toEqual(traces.get(first));
  });
});
