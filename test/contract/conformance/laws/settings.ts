import { expect } from "vitest";
import { PluginProcess } from "../../../support/plugin-process";
import { placesOf, secret, type Values } from "../../../support/provider-process";
import { law, onlyPackaged, unknown, type Law } from "../law";

const inState = "the settings of a dynamic provider are the stack's configuration, which no provider checks";
const asked = "the engine does not ask a dynamic provider about its settings";

export const setting: readonly Law[] = [
  law(
    "that are wrong are all reported at once, before anything is sent, and none of their values is shown",
    async (world) => {
      const failures = await world.provider.settingsFailures({
        baseUrl: "https://user:sesame@deployments.example.com",
        apiKey: "not for a header",
        dialect: "klingon",
        maxConcurrency: "many",
        pollInterval: "soon",
      });
      // The engine prints the value of a property that a failure names.
      expect(failures.map(({ property }) => property)).toEqual(["", "", "", "", ""]);
      expect(placesOf(failures)).toEqual([
        "deployment-service:apiKey",
        "deployment-service:baseUrl",
        "deployment-service:dialect",
        "deployment-service:maxConcurrency",
        "deployment-service:pollInterval",
      ]);
      expect(JSON.stringify(failures)).not.toMatch(/sesame|not for a header|klingon/);
      expect(world.service.requests()).toEqual([]);
    },
  ),
  onlyPackaged(
    inState,
    "that are unknown cause one warning each, on one line, with the likely name",
    async (world) => {
      const { provider } = world;
      const failures = await provider.settingsFailures({
        baseUrl: "http://127.0.0.1:1",
        apiKey: "key",
        tenant: "sesame",
        [`bad\nname ${"x".repeat(5_000)}`]: "1",
      });
      expect(failures).toEqual([]);
      const said = provider.process.messages.map(({ severity, text }) => `${severity} ${text}`).sort();
      expect(said).toEqual([
        expect.stringMatching(
          /^warning the setting deployment-service:bad name x+… is ignored: unknown key "bad name x+…"$/,
        ),
        'warning the setting deployment-service:tenant is ignored: unknown key "tenant"; did you mean "tenantId"?',
      ]);
      expect(said[0]!.length).toBeLessThan(300);
    },
  ),
  onlyPackaged(
    asked,
    "pass where they are not known yet; the key comes back as a secret, and so does what was one",
    async ({ provider }) => {
      const { inputs, failures } = await provider.plugin.checkConfig("eu", {
        baseUrl: unknown,
        apiKey: "key",
        tenantId: secret("sesame-0pens"),
        serviceReposPath: secret(unknown),
      });
      expect(failures).toEqual([]);
      expect(inputs).toEqual({
        baseUrl: unknown,
        apiKey: secret("key"),
        tenantId: secret("sesame-0pens"),
        serviceReposPath: secret(unknown),
        __name: "eu",
      });
    },
  ),
  onlyPackaged(
    asked,
    "that are wrong are all reported at once, beside those that are not known yet",
    async ({ provider: { plugin } }) => {
      const { failures } = await plugin.checkConfig("eu", {
        baseUrl: "http://service.example.com",
        apiKey: unknown,
        tenantId: { a: 1 },
        dialect: [],
        maxConcurrency: "zero",
      });
      const of = (name: string) => `\`${name}\` of the provider "eu"`;
      expect(failures.map(({ reason }) => reason)).toEqual([
        `${of("tenantId")} must be a string`,
        `${of("dialect")} must be a string`,
        `${of("maxConcurrency")} must be a whole number from 1 to 1000`,
        expect.stringContaining(`${of("baseUrl")} must be https`),
      ]);
      const open = { baseUrl: "http://service.example.com", allowHttp: unknown, apiKey: "key" };
      expect((await plugin.checkConfig("eu", open)).failures).toEqual([]);
    },
  ),
  onlyPackaged(
    asked,
    "of a provider of the program are refused where they are empty: the environment does not fill them in",
    async ({ provider: { plugin }, settings }) => {
      const empty = { ...settings, apiKey: secret(" ") };
      for (const more of [{}, { tenantId: unknown }]) {
        const { failures } = await plugin.checkConfig("default_eu", { ...empty, ...more });
        expect(failures.map(({ reason }) => reason)).toEqual([
          expect.stringMatching(
            /apiKey.* must not be empty: .* or omit it to use DEPLOYMENT_SERVICE_API_KEY$/,
          ),
        ]);
      }
    },
  ),
  onlyPackaged(asked, "leave the provider what it is when its address changes", async ({ sdk }) => {
    // The engine compares before it configures.
    const plugin = await PluginProcess.start(sdk);
    try {
      const at = (baseUrl: string) => ({ baseUrl, apiKey: "key", __name: "eu" });
      const [old, now] = [at("https://a.example.com"), at("https://b.example.com")];
      expect(await plugin.diffConfig("eu", old, now)).toMatchObject({
        changes: "some",
        replaces: [],
      });
      expect(await plugin.diffConfig("eu", old, old)).toMatchObject({ changes: "none" });
    } finally {
      await plugin.stop();
    }
  }),
  onlyPackaged(
    asked,
    "of another provider replace its deployments where that had another service or tenant",
    async ({ provider, settings }) => {
      const eu = (more: object) => ({ ...settings, ...more, __name: "eu" });
      const elsewhere = { baseUrl: "https://b.example.com" };
      const tenant = (letter: string) => ({ tenantId: `00000000-0000-4000-8000-00000000000${letter}` });
      const inStack = Object.entries(settings).map(([name, value]) => [`deployment-service:${name}`, value]);
      for (const [before, now, changes, replaces] of [
        [eu({}), {}, "some", []],
        [eu(elsewhere), {}, "some", ["baseUrl"]],
        [eu(tenant("a")), tenant("b"), "some", ["tenantId"]],
        // A connection without a tenant may be the same, and so may what is not known yet.
        [eu(tenant("a")), {}, "some", []],
        [eu({}), { baseUrl: unknown }, "some", []],
        // The default connection is refused instead of replaced while it is unknown where the deployments are.
        [{ ...settings, ...elsewhere }, {}, "some", []],
        [Object.fromEntries(inStack) as Values, {}, "none", []],
      ] as const)
        expect(await provider.plugin.diffConfig("default", before, { ...settings, ...now })).toMatchObject({
          changes,
          replaces,
        });
    },
  ),
];
