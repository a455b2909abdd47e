import { expect, it } from "vitest";
import { declared, placesOf, providerText, type Served } from "../../support/provider-process";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

export function checking(served: Served): void {
  it("gives the inputs back with the generation, and everything hidden", async () => {
    const given = declared("chat");
    const { inputs, failures } = await served.process.check(given);
    expect(failures).toEqual([]);
    expect(inputs).toEqual({ ...given, generation: 1 });
  });

  it("names every failure at once, each with its path", async () => {
    const { failures } = await served.process.check(
      declared("chat", {
        source: "elsewhere",
        sourceConfig: { buildOnPush: "yes", resourceSpec: { cpu: -1, sidecars: [{ image: 7 }] } },
        imageUri: "registry.example.com/chat:1",
        __options: { timeouts: { create: "soon" } },
      }),
    );
    expect(placesOf(failures)).toEqual([
      "customTimeouts.create",
      "imageUri",
      "source",
      "sourceConfig.buildOnPush",
      "sourceConfig.resourceSpec.cpu",
      "sourceConfig.resourceSpec.sidecars[0].image",
    ]);
  });

  it("names no property whose value may be secret, since the engine would print it", async () => {
    const { failures } = await served.process.check(
      declared("chat", {
        source: "sesame-opens",
        secrets: "sesame-opens",
        secretz: { KEY: "sesame-opens" },
        __options: { secretPaths: ["source"] },
      }),
    );
    expect(failures.map(({ property }) => property)).toEqual(["", "", ""]);
    expect(placesOf(failures)).toEqual(["secrets", "secretz", "source"]);
    expect(JSON.stringify(failures)).not.toContain("sesame-opens");
  });

  it("lets pass what is not known yet, at any depth, and gives it back as it came", async () => {
    const given = declared("chat", {
      source: unknown,
      sourceConfig: {
        customUrl: unknown,
        resourceSpec: { cpu: unknown, labels: unknown, sidecars: [{ name: unknown, args: [unknown] }] },
        listenerConfig: unknown,
      },
      sourceRevisionConfig: unknown,
      secrets: { MODEL_API_KEY: unknown },
      secretReferences: unknown,
      triggers: { at: [unknown] },
      skipAwait: unknown,
    });
    const { inputs, failures } = await served.process.check(given);
    expect(failures).toEqual([]);
    expect(inputs).toEqual({ ...given, generation: 1 });
  });

  it("still sees what is wrong beside something that is not known yet", async () => {
    const { failures } = await served.process.check(
      declared("chat", { sourceConfig: { customUrl: unknown, resourceSpec: { cpu: "much" } } }),
    );
    expect(placesOf(failures)).toEqual(["sourceConfig.resourceSpec.cpu"]);
  });

  it("sends nothing", async () => {
    await served.process.check(declared("chat"));
    expect(served.service.requestLines()).toEqual([]);
  });

  it("is loaded by a constant text, which the state holds", () => {
    expect(Buffer.byteLength(providerText)).toBeLessThanOrEqual(200);
  });
}
