/** Values that can never change: nothing is replaced because they were left out, returned differently, or not returned. */
import { expect, it } from "vitest";
import { shownAfterWrite } from "../../../provider/deployment/shown";
import { diff } from "../../../provider/deployment/diff";
import type { Observed } from "../../../provider/deployment/service";
import { langsmith } from "../../../provider/dialects/langsmith";
import type { Values } from "../../../schema/tree";
import { declared, least, resourceId, stateWith } from "../../support/langsmith";
import { observedAs, withDrift } from "../../support/observed";
import { startOne } from "../../support/one-deployment";

const other = resourceId.replace("6f", "70");
const repoUrl = "https://github.com/acme/chat";
const chosen = { integrationId: resourceId, repoUrl, deploymentType: "dev" };
const { deploymentType: _, ...withoutTier } = chosen;
const unnamed = { listenerId: resourceId };
const inNamespace = (k8sNamespace: string | null) => ({ ...unnamed, listenerConfig: { k8sNamespace } });
const listener = inNamespace("apps");

/** What the preview after a refresh says of a program that now has this configuration. */
function after(source: keyof typeof least, before: Values, answered: Values, now: Values = before) {
  const inputs = declared({ ...least[source], sourceConfig: before });
  const found: Partial<Observed> = { sourceConfig: answered };
  const seen = withDrift(inputs.arguments, observedAs(inputs.arguments, found));
  const state = { ...stateWith(inputs, found), arguments: seen };
  return diff(state, declared({ ...least[source], sourceConfig: now }, inputs), langsmith).plan;
}

it.each<[string, Values, Values, Values]>([
  ["a tier that the program leaves out (D04)", chosen, chosen, withoutTier],
  ["a repository that it leaves out", chosen, chosen, { deploymentType: "dev" }],
  ["a tier that the service chose and that is declared later (D05)", withoutTier, chosen, chosen],
  ["a repository that is returned with .git (D08)", chosen, { ...chosen, repoUrl: `${repoUrl}.git` }, chosen],
  [
    "a repository in another case (D08)",
    chosen,
    { ...chosen, repoUrl: "https://GITHUB.COM/ACME/CHAT" },
    chosen,
  ],
  ["a response without any of them (D06)", chosen, {}, chosen],
])("a deployment is not replaced for %s (D04 to D08)", (_name, before, answered, now) => {
  const { effect, changes } = after("codehost", before, answered, now);
  expect([effect, changes.filter((change) => change.effect === "replacement")]).toEqual(["none", []]);
});

it.each<[string, Values, Values, Values, string]>([
  ["declared later, which is not returned", {}, {}, listener, "none"],
  ["whose namespace is not returned", unnamed, { ...unnamed, listenerConfig: {} }, listener, "none"],
  ["that the program gives up", listener, listener, {}, "none"],
  ["whose namespace it gives up", listener, listener, unnamed, "none"],
  ["that exists and is declared at last", {}, listener, listener, "none"],
  ["where the service has none", {}, { listenerId: null, listenerConfig: null }, listener, "replacement"],
  ["with a namespace where the service has none", {}, inNamespace(null), listener, "replacement"],
  ["other than the service chose", {}, listener, { ...listener, listenerId: other }, "replacement"],
  ["with another namespace than the service chose", {}, listener, inNamespace("b"), "replacement"],
])("the plan for a listener %s", (_name, before, answered, now, kind) => {
  expect(after("external_container", before, answered, now).effect).toBe(kind);
});

it("a deployment is replaced for what the program changes, even after it had left it out", () => {
  const inputs = declared({ ...least.codehost, sourceConfig: chosen });
  const left = { ...inputs.arguments, sourceConfig: { repoUrl, deploymentType: "dev" } };
  const first = stateWith(inputs, { sourceConfig: chosen });
  const { shown } = shownAfterWrite({ args: left, before: first, dialect: langsmith });
  const state = { ...first, arguments: left, private: { ...first.private, shown } };
  expect(diff(state, { arguments: left }, langsmith).plan.effect).toBe("none");
  const moved = { ...inputs.arguments, sourceConfig: { ...chosen, integrationId: other } };
  expect(diff(state, { arguments: moved }, langsmith).plan.effect).toBe("replacement");
});

it("a deployment is not replaced for the value that it was created with, although the service shows another one later", async () => {
  const one = await startOne();
  const { external_container: args } = least;
  await one.up(args);
  one.emulator.change("chat", ({ source_config }) => {
    source_config["deployment_type"] = "dev";
  });
  await one.refresh();
  expect(one.preview({ ...args, sourceConfig: { deploymentType: "prod" } }).kind).toBe("none");
  expect(one.preview({ ...args, sourceConfig: { deploymentType: "dev" } }).kind).toBe("replacement");
});
