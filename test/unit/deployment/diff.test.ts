import { describe, expect, it } from "vitest";
import { diff } from "../../../provider/deployment/diff";
import { type Values } from "../../../schema/tree";
import { langsmith } from "../../../provider/dialects/langsmith";
import { standard } from "../../../provider/dialects/standard";
import { declared, least, stateWith } from "../../support/langsmith";
import { declare, stateAfter } from "../../support/service";

const first = declare();
const imagePatch = { sourceRevisionConfig: { imageUri: "registry.example.com/chat:2" } };

describe("diff", () => {
  it.each([
    ["nothing", {}, undefined],
    ["an image", imagePatch, "chat: creates a new revision (sourceRevisionConfig.imageUri)"],
    [
      "settings",
      { sourceConfig: { buildOnPush: true, resourceSpec: { cpu: 1 } }, secrets: { API_KEY: "new", B: "1" } },
      "chat: updates settings, no new revision (sourceConfig.buildOnPush, secrets.API_KEY, secrets.B)",
    ],
    ["a source", { source: "codehost" }, "chat: replaces the deployment (source)"],
    ["a name", { name: "talk" }, "chat: replaces the deployment (name)"],
    [
      "a trigger and settings",
      { triggers: 1, secrets: {} },
      "chat: creates a new revision (triggers); also changes secrets.API_KEY",
    ],
  ])("explains a change of %s in one line", (_name, change, explanation) => {
    expect(diff(stateAfter(first), declare(change, first), standard).explanation).toBe(explanation);
  });

  it("says what a replacement of an imported deployment loses, and nothing of one that is declared whole", () => {
    const state = stateAfter(first);
    const imported = {
      ...state,
      private: { ...state.private, takenOver: true, unmanagedSecrets: ["KEY", "API_KEY"] },
    };
    expect(diff(imported, declare({ name: "talk" }, first), standard).warnings).toEqual([
      "chat: the replacement will not have what the program does not declare: the secrets KEY, " +
        "and anything else that was set outside of the program. Declare what you want to keep first",
    ]);
    expect(diff(imported, declare(imagePatch, first), standard).warnings).toEqual([]);
    expect(diff(state, declare({ name: "talk" }, first), standard).warnings).toEqual([]);
  });

  it.each([
    [
      "the path",
      ["sourceRevisionConfig.imageUri"],
      "replaces the deployment (sourceRevisionConfig.imageUri)",
    ],
    ["a path above", ["sourceRevisionConfig"], "replaces the deployment (sourceRevisionConfig.imageUri)"],
    ["everything", ["*"], "replaces the deployment (sourceRevisionConfig.imageUri)"],
    ["something else", ["sourceRevision"], "creates a new revision (sourceRevisionConfig.imageUri)"],
  ])("says what replaceOnChanges makes of a change when it names %s", (_name, paths, explanation) => {
    const result = diff(stateAfter(first), declare(imagePatch, first), standard, { replaceOnChanges: paths });
    expect(result.explanation).toBe(`chat: ${explanation}`);
    expect(result.plan.kind).toBe("revision");
  });

  it("deletes first when the name stays, since it can be there only once (D02)", () => {
    const deletesFirst = (change: Values) =>
      diff(stateAfter(first), declare(change, first), standard).deleteBeforeReplace;
    expect([{ source: "codehost" }, imagePatch, { name: "talk" }].map(deletesFirst)).toEqual([
      true,
      true,
      false,
    ]);
  });

  it("is none for the tier that the service chose, and a replacement for another one (A19, D05)", () => {
    const state = stateAfter(first, {
      sourceConfig: { ...first.arguments.sourceConfig, deploymentType: "prod" },
    });
    const tier = (deploymentType: string) =>
      diff(
        state,
        declare({ sourceConfig: { ...first.arguments.sourceConfig, deploymentType } }, first),
        standard,
      ).plan.kind;
    expect([tier("prod"), tier("dev")]).toEqual(["none", "replacement"]);
  });
});

describe("a preview warns", () => {
  const warningsOf = (before: Values, after: Values) => {
    const old = declared(before);
    return diff(stateWith(old), declared(after, old), langsmith).warnings;
  };
  const chat = { ...least.external_container, secrets: { A: "1" } };
  const another = { ...chat, source: "internal_container" };

  it("of a replacement under a name that the service keeps taken, unless the deletion frees it (D03)", () => {
    const freed = { deleteTracingProject: true };
    expect(warningsOf(chat, another)).toEqual([
      "chat: after the deletion, the tracing project of the same name still uses the name, so the service will refuse to create the replacement: delete it in the service, or set only `deleteTracingProject: true` and run `pulumi up` first, or choose " +
        "another name",
    ]);
    expect(warningsOf(chat, { ...another, ...freed })).toHaveLength(1);
    expect(warningsOf({ ...chat, ...freed }, another)).toEqual([]);
    expect(warningsOf(chat, { ...another, name: "talk" })).toEqual([]);
  });

  it("of what the program gives up and the service cannot clear (B04, C17, G06, G07)", () => {
    const { secrets: _, ...without } = chat;
    expect(warningsOf({ ...chat, sourceConfig: { customUrl: "https://a.example.com" } }, without)).toEqual([
      "chat: sourceConfig.customUrl, secrets.A are no longer declared, but this service cannot clear the values: it keeps the last values",
    ]);
    expect(warningsOf(chat, { ...chat, secrets: {} })).toEqual([
      "chat: secrets.A is no longer declared, but this service cannot clear the value: it keeps the last value",
    ]);
    expect(warningsOf({ ...chat, secrets: { A: "1", B: "2" } }, chat)).toEqual([]);
  });
});
