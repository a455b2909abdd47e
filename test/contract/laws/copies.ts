/** Copies of arguments in what the process answers. The engine itself marks what stands under the name of an argument. */
import { expect, it } from "vitest";
import { canary, expectNoTrace } from "../../support/canary";
import {
  CallError,
  declared,
  opened,
  secret,
  urn,
  type Served,
  type Values,
} from "../../support/provider-process";

const values = {
  repository: `https://${encodeURIComponent(canary("repository"))}@code.example.com/acme/chat`,
  integration: "6f0e6c1a-0000-4000-8000-00000000c0de",
  reference: "0123456789abcdef0123456789abcdef01234567",
  url: `https://${encodeURIComponent(canary("url"))}.example.com`,
  sidecar: canary("sidecar"),
  trigger: canary("trigger"),
  environment: canary("environment"),
};

const args = (secretPaths: string[], more: Values = {}): Values => ({
  source: "codehost",
  sourceConfig: {
    integrationId: values.integration,
    repoUrl: values.repository,
    customUrl: values.url,
    resourceSpec: { sidecars: [{ name: "proxy", env: [{ name: "TOKEN", value: values.sidecar }] }] },
  },
  sourceRevisionConfig: { repoRef: values.reference, graphConfigPath: "graph.json" },
  secrets: { KEY: values.environment },
  triggers: [values.trigger],
  __options: { urn: urn("chat"), secretPaths, ...more },
});

const argumentNames = ["name", "source", "sourceConfig", "sourceRevisionConfig", "triggers", "__options"];

/** All that a reader of the state sees beside the arguments. */
function inClear(properties: Values): string {
  const marked = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (JSON.stringify(value).startsWith(JSON.stringify(secret("")).slice(0, 30))) return "sealed";
    if (Array.isArray(value)) return value.map(marked);
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, marked(inner)]));
  };
  const rest = Object.entries(properties).filter(([name]) => !argumentNames.includes(name));
  return JSON.stringify(marked(Object.fromEntries(rest)));
}

export function copying(served: Served): void {
  it.each([
    [["sourceConfig", "sourceRevisionConfig", "triggers"]],
    [
      [
        "sourceConfig.repoUrl",
        "sourceConfig.integrationId",
        "sourceConfig.customUrl",
        "sourceConfig.resourceSpec.sidecars",
        "sourceRevisionConfig.repoRef",
        "triggers",
      ],
    ],
  ])("a copy of a secret argument is a secret in every answer: %j", async (secretPaths) => {
    const expectSealed = (properties: Values) => {
      expect(inClear(properties)).toContain("sealed");
      expectNoTrace(inClear(properties), values);
      expect(inClear(properties)).not.toContain(values.url);
    };
    const { process, service } = served;
    const { id, inputs, state, properties } = await served.up("chat", args(secretPaths));
    expectSealed(properties);
    expect(properties["status"]).toBe("READY");

    expectSealed((await process.read(id, { state, inputs })).properties);
    service.change("chat", (record) => {
      record.source_config["custom_url"] = `${values.url}/drift`;
      record.source_config["repo_url"] = `${values.repository}/drift`;
    });
    expectSealed((await process.read(id, { state, inputs })).properties);

    service.configure({ rollout: "never" });
    const impatient = { timeouts: { create: "200ms", update: "200ms" } };
    const changed = declared("chat", { ...args(secretPaths, impatient), triggers: [`${values.trigger}2`] });
    const update = await process.check(changed, inputs);
    expectSealed(await propertiesOf(process.update(id, state, update.inputs)));
    const other = await process.check(declared("talk", args(secretPaths, impatient)));
    const failed = await propertiesOf(process.create(other.inputs));
    expectSealed(failed);
    expect(opened(failed)).toHaveProperty("__private.rollout");
  });

  it("without a secret argument, only the private state and the secrets are sealed", async () => {
    const { properties } = await served.up("chat", {
      sourceConfig: { customUrl: "https://chat.example.com" },
    });
    const sealed = Object.entries(properties).filter(([, value]) =>
      JSON.stringify(value)?.includes("4dabf181"),
    );
    expect(sealed.map(([name]) => name)).toEqual(["__private"]);
    expect(properties["url"]).toBe("https://chat.example.com");
  });
}

async function propertiesOf(call: Promise<unknown>): Promise<Values> {
  const error: unknown = await call.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(CallError);
  return (error as CallError).partial!.properties;
}
