import { expect } from "vitest";
import { shown } from "../../../support/adapters";
import { placesOf, providerText, secret } from "../../../support/provider-process";
import { app, law, onlyDynamic, onlyPackaged, unknown, type Law } from "../law";

export const checking: readonly Law[] = [
  law(
    "gives the inputs back with the name and the generation, and what is a secret marked, and sends nothing",
    async ({ provider, service }) => {
      const { args } = app("chat", {
        sourceConfig: { customUrl: secret("https://chat.example.com"), resourceSpec: { cpu: unknown } },
        secrets: { KEY: "sesame-0pens" },
        secretReferences: unknown,
        triggers: [secret(unknown), null],
      });
      const { inputs, failures } = await provider.check({ name: "chat", args });
      expect(failures).toEqual([]);
      expect(shown(inputs)).toEqual({
        ...args,
        name: "chat",
        generation: 1,
        secrets: secret({ KEY: "sesame-0pens" }),
        triggers: secret([unknown, null]),
      });
      expect(service.requestLines()).toEqual([]);
    },
  ),

  law(
    "names properties in the reason alone, since the engine would print their values (A16)",
    async ({ provider }) => {
      const { failures } = await provider.check(
        app("chat", {
          source: secret("sesame-0pens"),
          sourceConfig: secret("sesame-0pens"),
          secrets: "sesame-0pens",
          secretz: { KEY: "sesame-0pens" },
          revisionSource: secret(["sesame-0pens"]),
        }),
      );
      expect(failures.map(({ property }) => property)).toEqual(["", "", "", "", ""]);
      expect(placesOf(failures)).toEqual(["revisionSource", "secrets", "secretz", "source", "sourceConfig"]);
      expect(JSON.stringify(failures)).not.toContain("sesame-0pens");
      expect(failures.map(({ reason }) => reason)).toContain(
        'secretz: unknown key "secretz"; did you mean "secrets"?',
      );
    },
  ),

  law(
    "lets pass what is not known yet, at any depth, and gives it back as it came (A17)",
    async ({ provider }) => {
      const { args } = app("chat", {
        source: unknown,
        sourceConfig: {
          customUrl: unknown,
          resourceSpec: { cpu: unknown, labels: unknown, sidecars: [{ name: unknown, args: [unknown] }] },
          listenerConfig: unknown,
        },
        sourceRevisionConfig: unknown,
        secrets: secret({ MODEL_API_KEY: unknown }),
        secretReferences: unknown,
        triggers: { at: [unknown] },
        skipAwait: unknown,
      });
      const { inputs, failures } = await provider.check({ name: "chat", args });
      expect(failures).toEqual([]);
      expect(shown(inputs)).toEqual({ ...args, name: "chat", generation: 1 });
    },
  ),

  law("refuses a second resource of the same name on the same connection", async ({ provider }) => {
    await provider.check(app("chat", { name: "same" }));
    const { failures } = await provider.check(app("talk", { name: "same" }));
    expect(placesOf(failures)).toEqual(["name"]);
    expect(failures[0]!.reason).toContain('"chat"');
  }),

  onlyDynamic(
    "the engine finds a packaged provider by its name",
    "is loaded by a constant text, which the state holds",
    async ({ provider }) => {
      expect(Buffer.byteLength(providerText)).toBeLessThanOrEqual(200);
      expect((await provider.check(app("chat"))).inputs["__provider"]).toBe(providerText);
    },
  ),

  onlyPackaged(
    "the engine gives a dynamic provider its own resources alone",
    "refuses a resource of another type",
    async ({ provider }) => {
      const call = provider.plugin.check("chat", app("chat").args, {}, "deployment-service:index:Deploymint");
      await expect(call).rejects.toThrow("deployment-service:index:Deploymint");
    },
  ),
];
