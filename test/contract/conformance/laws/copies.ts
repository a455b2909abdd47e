/** What the state holds of secret arguments, and of outputs that repeat them. */
import { expect } from "vitest";
import { canary, expectNoTrace } from "../../../support/canary";
import { memoryOf, secret } from "../../../support/provider-process";
import { inClear, isMarked } from "../../../support/secret-marks";
import { app, failureOf, law, type Law } from "../law";

const values = {
  reference: "0123456789abcdef0123456789abcdef01234567",
  url: `https://${encodeURIComponent(canary("url"))}.example.com`,
};

export const copying: readonly Law[] = [
  law(
    "the copy of a secret argument is a secret in the response to an update that fails too",
    async (world) => {
      const { provider, service, up } = world;
      const args = {
        source: "codehost",
        sourceConfig: { customUrl: secret(values.url) },
        sourceRevisionConfig: secret({ repoRef: values.reference, graphConfigPath: "graph.json" }),
      };
      const old = await up({ name: "chat", args });
      service.configure({ rollout: "never" });
      const changed = { name: "chat", args: { ...args, triggers: 1 }, customTimeouts: { update: "600ms" } };
      const { held } = await failureOf(provider.update(old, await provider.check(changed, old)));
      for (const { state } of [old, (await provider.read(old))!, held!]) {
        expect(state["status"]).toBe("READY");
        for (const copy of ["url", "repoCommitSha"]) expect(isMarked(state[copy]), copy).toBe(true);
        expectNoTrace(JSON.stringify(inClear(state)), values);
      }
    },
  ),

  law(
    "what the service shows is remembered in a secret, and nothing of it in the clear",
    async ({ service, up }) => {
      service.configure({ secrets: "word", normalizations: ["spells"] });
      const sourceConfig = { customUrl: "https://Canary.example.com/" };
      const { state } = await up(app("chat", { sourceConfig, secrets: { KEY: canary("environment") } }));
      expect(memoryOf(state)["shown"]).toMatchObject({
        sourceConfig: {
          customUrl: "https://canary.example.com",
          deploymentType: expect.any(String) as string,
        },
        secrets: { KEY: expect.any(String) as string },
      });
      expect(Object.keys(memoryOf(state)).sort()).toEqual(["shown", "version"]);
      expect(isMarked(state["__private"])).toBe(true);
    },
  ),

  law(
    "a credential in the arguments of a container, and in one that others added, is a secret in each state",
    async ({ provider, service, up }) => {
      const [token, password] = [canary("added"), canary("declared")];
      const sidecar = { name: "log", image: "log:1", args: [`--token=${password}`, "--password", password] };
      const old = await up(app("chat", { sourceConfig: { resourceSpec: { sidecars: [sidecar] } } }));
      const env = [
        { name: "API_TOKEN", value: token },
        { name: "LEVEL", value: "info" },
      ];
      service.change("chat", ({ source_config }) => {
        Object.assign(source_config["resource_spec"] as object, { sidecars: [sidecar, { ...sidecar, env }] });
      });
      const { inputs, state } = (await provider.read(old))!;
      expect(JSON.stringify(state)).toContain('"info"');
      for (const values of [old.state, inputs!, state]) {
        expectNoTrace(JSON.stringify(inClear(values)), { token, password });
      }
    },
  ),

  law("without a secret argument, only the secrets and what is remembered are sealed", async ({ up }) => {
    const sourceConfig = { customUrl: "https://chat.example.com" };
    const { state } = await up(app("chat", { sourceConfig, secrets: { KEY: "sesame-0pens" } }));
    const sealed = Object.keys(state).filter((name) => isMarked(state[name]));
    expect(sealed.sort()).toEqual(["__private", "secrets"]);
    expect(state).toMatchObject({ sourceConfig, url: "https://chat.example.com" });
  }),
];
