/** Secret arguments in what the engine writes down, and their copies under other names. */
import { createHash } from "node:crypto";
import { expect } from "vitest";
import { canary, expectNoTrace } from "../../../support/canary";
import { opened, secret, type Values } from "../../../support/provider-process";
import { inClear, isMarked } from "../../../support/secret-marks";
import { app, failureOf, law, type Law } from "../law";

const values = {
  repository: `https://${encodeURIComponent(canary("repository"))}@code.example.com/acme/chat`,
  integration: "6f0e6c1a-0000-4000-8000-00000000c0de",
  reference: "0123456789abcdef0123456789abcdef01234567",
  url: `https://${encodeURIComponent(canary("url"))}.example.com`,
  sidecar: canary("sidecar"),
  trigger: canary("trigger"),
  environment: canary("environment"),
};

const sidecars = [{ name: "proxy", env: [{ name: "TOKEN", value: values.sidecar }] }];

/** The same arguments, marked where a program can mark them. */
const marked: Readonly<Record<string, Values>> = {
  "as a whole": {
    sourceConfig: secret({
      integrationId: values.integration,
      repoUrl: values.repository,
      customUrl: values.url,
      resourceSpec: { sidecars },
    }),
    sourceRevisionConfig: secret({ repoRef: values.reference, graphConfigPath: "graph.json" }),
    triggers: secret([values.trigger]),
  },
  "one by one": {
    sourceConfig: {
      integrationId: secret(values.integration),
      repoUrl: secret(values.repository),
      customUrl: secret(values.url),
      resourceSpec: { sidecars: secret(sidecars) },
    },
    sourceRevisionConfig: { repoRef: secret(values.reference), graphConfigPath: "graph.json" },
    triggers: [secret(values.trigger)],
  },
};

const digests = Object.fromEntries(
  Object.entries(values).flatMap(([name, value]) =>
    (["hex", "base64url"] as const).map((encoding) => [
      `${name} in ${encoding}`,
      createHash("sha256").update(value).digest(encoding),
    ]),
  ),
);

/** A reader of the state sees that something is there, and not what. */
function expectSealed(state: Values, hidden: Record<string, string> = { ...values, ...digests }): void {
  const text = JSON.stringify(inClear(state));
  expect(text).toContain("[secret]");
  expectNoTrace(text, hidden);
}

export const copying: readonly Law[] = [
  ...Object.entries(marked).map(([how, arguments_]) =>
    law(
      `an argument that is secret, marked ${how}, and each copy of it are secrets in every response`,
      async ({ provider, service, up }) => {
        const args = { source: "codehost", ...arguments_, secrets: { KEY: values.environment } };
        const old = await up({ name: "chat", args });
        expectSealed(old.state);
        expectSealed(old.inputs);
        expect(old.state["status"]).toBe("READY");

        expectSealed((await provider.read(old))!.state);
        service.change("chat", (record) => {
          record.source_config["custom_url"] = `${values.url}/drift`;
          record.source_config["repo_url"] = `${values.repository}/drift`;
        });
        const read = (await provider.read(old))!;
        expectSealed(read.state);
        expectSealed(read.inputs);

        service.configure({ rollout: "never" });
        const customTimeouts = { create: "600ms", update: "600ms" };
        const changed = { ...args, triggers: secret([`${values.trigger}2`]) };
        const update = await provider.check({ name: "chat", args: changed, customTimeouts }, old);
        expectSealed((await failureOf(provider.update(old, update))).held!.state);
        const other = await provider.check({ name: "search", args, customTimeouts });
        const failed = (await failureOf(provider.create(other))).held!;
        expectSealed(failed.state);
        expect(opened(failed.state)).toHaveProperty("__private.rollout");
      },
    ),
  ),

  law(
    "of what is secret and shown otherwise, the private state holds a mark alone",
    async ({ service, up }) => {
      service.configure({ secrets: "word", normalizations: ["spells"] });
      const customUrl = `https://Canary-${values.integration}.example.com/`;
      const secrets = { KEY: values.environment };
      const { state } = await up(app("chat", { sourceConfig: { customUrl: secret(customUrl) }, secrets }));
      const privateState = state["__private"] as Values;
      const hidden = { __seen: "hidden" };
      expect(privateState["seen"]).toEqual({
        sourceConfig: { customUrl: hidden, deploymentType: expect.any(String) as string },
        secrets: { KEY: hidden },
      });
      expect(Object.keys(privateState).sort()).toEqual(["madeWith", "seen", "version"]);
    },
  ),

  law("without a secret argument, only the secrets are sealed", async ({ up }) => {
    const sourceConfig = { customUrl: "https://chat.example.com" };
    const { state } = await up(app("chat", { sourceConfig, secrets: { KEY: "sesame-0pens" } }));
    const sealed = Object.keys(state).filter((name) => isMarked(state[name]));
    expect(sealed).toEqual(["secrets"]);
    expect(state).toMatchObject({ sourceConfig, url: "https://chat.example.com" });
  }),
];
