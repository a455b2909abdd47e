/** What can never change: nobody's deployment is replaced for what was left out, answered otherwise, or not answered. */
import { describe, expect, it } from "vitest";
import { diff } from "../../../provider/deployment/diff";
import { withDrift } from "../../../provider/deployment/drift";
import type { Observed } from "../../../provider/deployment/service";
import type { Values } from "../../../schema/tree";
import { langsmith } from "../../../provider/dialects/langsmith";
import { declared, least, resourceId, stateWith } from "../../support/langsmith";
import { observedAs } from "../../support/observed";

const other = resourceId.replace("6f", "70");
const repoUrl = "https://github.com/acme/chat";
const chosen = { integrationId: resourceId, repoUrl, deploymentType: "dev" };
const listener = { listenerId: resourceId, listenerConfig: { k8sNamespace: "apps" } };

/** What the next preview says, after a refresh that found this, of the program with this configuration. */
function after(source: keyof typeof least, before: Values, answered: Values, now: Values = before) {
  const inputs = declared({ ...least[source], sourceConfig: before });
  const found: Partial<Observed> = { sourceConfig: answered };
  const seen = withDrift(inputs.arguments, observedAs(inputs.arguments, found));
  const state = { ...stateWith(inputs, found), arguments: seen };
  const next = declared({ ...least[source], sourceConfig: now }, inputs);
  return diff(state, next, langsmith).plan;
}

describe("a deployment is not replaced", () => {
  it.each<[string, Values, Values, Values]>([
    ["the tier that the program leaves out (D04)", chosen, chosen, { integrationId: resourceId, repoUrl }],
    ["the repository that it leaves out (D04)", chosen, chosen, { deploymentType: "dev" }],
    [
      "a tier that the service chose, once it is declared (D05)",
      { integrationId: resourceId, repoUrl },
      chosen,
      chosen,
    ],
    ["its repository answered with .git (D08)", chosen, { ...chosen, repoUrl: `${repoUrl}.git` }, chosen],
    [
      "its repository answered in another case (D08)",
      chosen,
      { ...chosen, repoUrl: "https://github.com/Acme/Chat" },
      chosen,
    ],
    ["all of it not answered (D06)", chosen, {}, chosen],
  ])("for %s (D04 to D08)", (_name, before, answered, now) => {
    expect(after("codehost", before, answered, now)).toMatchObject({
      kind: "none",
      changes: expect.not.arrayContaining([expect.objectContaining({ kind: "replacement" })]) as unknown,
    });
  });

  it.each<[string, Values, Values, Values]>([
    ["a listener that the service does not answer, declared later (D06)", {}, {}, listener],
    [
      "a namespace that it does not answer",
      { listenerId: resourceId },
      { listenerId: resourceId, listenerConfig: {} },
      listener,
    ],
    ["a listener that the program gives up (D07)", listener, listener, {}],
    ["a namespace alone that it gives up", listener, listener, { listenerId: resourceId }],
    ["a listener that it has, declared at last", {}, listener, listener],
  ])("for %s (D04 to D08)", (_name, before, answered, now) => {
    expect(after("external_container", before, answered, now).kind).toBe("none");
  });
});

describe("a deployment is replaced", () => {
  it.each<[string, Values, Values]>([
    [
      "for a listener where the service says that it has none",
      { listenerId: null, listenerConfig: null },
      listener,
    ],
    [
      "for a namespace where the service says that it has none",
      { listenerId: resourceId, listenerConfig: { k8sNamespace: null } },
      listener,
    ],
    ["for another listener than the service chose", listener, { ...listener, listenerId: other }],
    [
      "for another namespace than the service chose",
      listener,
      { ...listener, listenerConfig: { k8sNamespace: "b" } },
    ],
  ])("%s (D01)", (_name, answered, now) => {
    expect(after("external_container", {}, answered, now).kind).toBe("replacement");
  });

  it("for what the program changes, also after it had left it out", () => {
    const open = { repoUrl, deploymentType: "dev" };
    const inputs = declared({ ...least.codehost, sourceConfig: chosen });
    const found = { sourceConfig: chosen };
    const left = { ...inputs.arguments, sourceConfig: open };
    const state = { ...stateWith(inputs, found), arguments: left };
    expect(diff(state, { arguments: left }, langsmith).plan.kind).toBe("none");
    const moved = { ...inputs.arguments, sourceConfig: { ...chosen, integrationId: other } };
    expect(diff(state, { arguments: moved }, langsmith).plan.kind).toBe("replacement");
  });
});
