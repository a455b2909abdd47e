/** A replacement whose name stays taken: the engine checks it without old inputs before it deletes anything. */
import { expect, it } from "vitest";
import { providerText } from "../../../provider/stored/internal-inputs";
import type { Values } from "../../../schema/tree";
import { providerWith } from "./support";

const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/deployment-service:Deployment::chat";
const [one, two] = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"];
const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const codehost: Values = {
  source: "codehost",
  sourceConfig: { integrationId: one, repoUrl: "https://github.com/acme/chat", deploymentType: "dev" },
  sourceRevisionConfig: { repoRef: "main", graphConfigPath: "langgraph.json" },
};
const container: Values = {
  source: "external_container",
  sourceConfig: { listenerId: one, listenerConfig: { k8sNamespace: "a" } },
  sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
};
const template: Values = { source: "internal_template", sourceConfig: { templateId: one } };
const changed = (args: Values, more: Values): Values => ({
  ...args,
  sourceConfig: { ...(args["sourceConfig"] as Values), ...more },
});
const moved = changed(codehost, { repoUrl: "https://github.com/acme-inc/chat" });
const newImage = { ...container, sourceRevisionConfig: { imageUri: "registry.example.com/chat:2" } };
const freed = { deleteTracingProject: true };

/** A run, in which the engine has checked the deployment as a new one, and what is in the state of it. */
async function runWith(before: Values, dialect = "langsmith") {
  const baseUrl = "https://one.example.com";
  const provider = await providerWith({ baseUrl, apiKey: "key-for-tests", dialect });
  const inputs = (args: Values, more: Values = {}): Values => ({
    ...{ name: "chat", ...args, __provider: providerText },
    __options: { urn, ...more },
  });
  const { inputs: old } = await provider.check!({}, inputs(before));
  const __private = JSON.stringify({ version: 1, shown: {} });
  const __madeWith = { address: "https://one.example.com", dialect };
  const outputs = { ...(old as Values), generation: 1, status: "READY", __madeWith, __private };
  return { provider, inputs, old: old as Values, outputs };
}

/** The failures of the check that the engine makes before a replacement. */
async function failuresOf(before: Values, after: Values, options: Values = {}, dialect = "langsmith") {
  const { provider, inputs, old, outputs } = await runWith(before, dialect);
  const { inputs: now, failures: first } = await provider.check!(old, inputs(after, options));
  expect(first ?? []).toEqual([]);
  const { replaces = [] } = await provider.diff!("d1", outputs, now as Values);
  expect(replaces).not.toEqual([]);
  const { failures } = await provider.check!({}, inputs(after, options));
  return (failures ?? []).map(({ reason }) => reason);
}

const refusal =
  "name: the service would refuse to create the replacement after the deletion, because the tracing project of the same name " +
  "still uses the name: choose another `name`, or first set only `deleteTracingProject: true` and run `pulumi up`, so that the " +
  "replacement deletes it too";

it.each<[string, Values, Values, Values?]>([
  ["a repository", codehost, moved],
  ["an integration", codehost, changed(codehost, { integrationId: two })],
  ["a type", codehost, changed(codehost, { deploymentType: "dev_zero" })],
  ["a listener", container, changed(container, { listenerId: two })],
  ["a namespace", container, changed(container, { listenerConfig: { k8sNamespace: "b" } })],
  ["a source", container, template],
  ["a template", template, changed(template, { templateId: two })],
  ["sharing", { ...template, shareable: false }, { ...template, shareable: true }],
  ["what replaceOnChanges covers", container, newImage, { replaceOnChanges: [["sourceRevisionConfig"]] }],
  ["a repository, of a deployment that would be adopted", codehost, { ...moved, adopt: true }],
  ["a repository, and only now what frees the name", codehost, { ...moved, ...freed }],
])("is refused before the deletion if it changes %s", async (_, before, after, options) => {
  expect(await failuresOf(before, after, options)).toEqual([refusal]);
  expect(await failuresOf({ ...before, ...freed }, after, options)).toEqual([]);
});

it("is refused beside the deployment that `retainOnDelete` keeps, unless it takes that over", async () => {
  const kept =
    "name: `retainOnDelete` keeps the old deployment and its name, so the service would refuse to create the replacement: " +
    "choose another `name`";
  const [adoption, options] = [", or set `adopt: true` to take the old one over", { retainOnDelete: true }];
  const forced = { ...options, replaceOnChanges: [["sourceRevisionConfig"]] };
  expect(await failuresOf(container, newImage, forced, "standard")).toEqual([kept + adoption]);
  expect(await failuresOf(container, { ...newImage, adopt: true }, forced, "standard")).toEqual([]);
  expect(
    await failuresOf(container, { source: "internal_source", adopt: true }, options, "standard"),
  ).toEqual([kept]);
  expect(await failuresOf(codehost, { ...moved, ...freed }, options)).toEqual([kept + adoption]);
});

it("passes with another name, where names are freed, and while it is not certain", async () => {
  expect(await failuresOf(codehost, { ...moved, name: "talk" })).toEqual([]);
  expect(await failuresOf(codehost, { ...moved, name: unknown })).toEqual([]);
  expect(await failuresOf(codehost, changed(codehost, { repoUrl: unknown }))).toEqual([]);
  expect(await failuresOf(container, { source: "internal_source" }, {}, "standard")).toEqual([]);
});

it("that the user asks for, and the engine does not compare, is not begun with the deletion either", async () => {
  const { provider, outputs } = await runWith(codehost);
  const reason = `not deleted: ${refusal.replace("name: ", "")}`;
  await expect(provider.delete!("d1", outputs)).rejects.toThrow(reason);
});
