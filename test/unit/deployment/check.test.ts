import { describe, expect, it } from "vitest";
import { check } from "../../../provider/deployment/check";
import type { Planned } from "../../../provider/deployment/state";
import { unknownValue, type Values, withValueAt } from "../../../schema/tree";
import { langsmith } from "../../../provider/dialects/langsmith";
import { standard } from "../../../provider/dialects/standard";

const chat = {
  name: "chat",
  source: "external_container",
  sourceConfig: { buildOnPush: false, resourceSpec: { cpu: 1, labels: { team: "a" } } },
  sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
  secrets: { API_KEY: "k" },
};
const checked = (given: Values, old?: Planned) => check(old, given, standard);

describe("check", () => {
  it.each([
    ["dedicatd", "chat", 1],
    ["quantum", "chat", 0],
    ["dedicatd", "chat-2", 0],
  ])(
    "refuses a misspelled type that would replace the deployment of that name: %s, %s",
    (type, name, count) => {
      const given = (deploymentType: string) => ({
        source: "internal_source",
        sourceConfig: { deploymentType },
      });
      const { inputs: old } = check(undefined, { name: "chat", ...given("dedicated") }, langsmith);
      const { failures, warnings } = check(old, { name, ...given(type) }, langsmith);
      const [refused, warned] = [failures, warnings].map((all) =>
        all.filter(({ property }) => /Type$/.test(property)),
      );
      expect([refused!.length, warned!.length]).toEqual([count, 1 - count]);
    },
  );

  it("gives one reason for an Output in the text of an image", () => {
    const imageUri = "chat:Calling [toString] on an [Output<T>] is not supported. ${v}";
    const given = { name: "chat", source: "external_container", sourceRevisionConfig: { imageUri } };
    expect(check(undefined, given, standard).failures).toMatchObject([
      { reason: expect.stringContaining("pulumi.interpolate") },
    ]);
  });

  it("a check takes null as absent", () => {
    const { sourceConfig } = chat;
    const more = {
      revisionSource: null,
      sourceConfig: { ...sourceConfig, customUrl: null, listenerConfig: { k8sNamespace: null } },
    };
    const { inputs, failures } = checked({ ...chat, ...more });
    expect(failures).toEqual([]);
    expect(inputs.arguments).toEqual({ ...chat, sourceConfig: { ...sourceConfig, listenerConfig: {} } });
  });

  it("takes an empty map of secrets or references as none (A27)", () => {
    const { secrets: _, ...without } = chat;
    expect(checked({ ...chat, secrets: {}, secretReferences: {} }).inputs).toEqual(checked(without).inputs);
  });

  it("takes a name of any map whose value is null as none", () => {
    const maps = (more: Values) => {
      const [labels, annotations] = [more, { a: "1", ...more }];
      const sourceConfig = { ...chat.sourceConfig, resourceSpec: { labels, annotations } };
      return checked({ ...chat, sourceConfig, secrets: { A: "1", ...more }, secretReferences: more });
    };
    const warned = {
      property: "secrets.gone",
      reason: "has no value in the program (undefined or null), so it is not sent",
    };
    expect(maps({ gone: null })).toEqual({
      ...maps({}),
      failures: [],
      warnings: [...maps({}).warnings, warned],
    });
  });

  it("warns of fewer containers at most than at least", () => {
    const scaled = (minScale: unknown, maxScale: unknown) =>
      checked({ ...chat, sourceConfig: { resourceSpec: { minScale, maxScale } } }).warnings;
    expect(scaled(3, 2)).toEqual([
      { property: "sourceConfig.resourceSpec.minScale", reason: "is greater than maxScale, which is 2" },
    ]);
    expect([scaled(2, 2), scaled(3, unknownValue)]).toEqual([[], []]);
  });

  it("warns by name of secrets that are empty, or that a CI system or a file left like this, and quotes nothing", () => {
    const secrets = {
      ...{ EMPTY: "", AZURE: "$(MODEL_API_KEY)", BATCH: " %MODEL_API_KEY%\n", SHELL: "${MODEL_API_KEY}" },
      ...{ ACTIONS: "${{ secrets.MODEL_API_KEY }}", WINDOWS: "sesame-0pens\r", GONE: null },
      ...{ FINE: "sesame", PART: "a $(b) c", PERCENT: "100%", DOLLAR: "$", LATER: unknownValue },
    };
    const { failures, warnings } = checked({ ...chat, secrets });
    expect(failures).toEqual([]);
    const told = warnings.filter(({ property }) => property.startsWith("secrets."));
    expect(told.map(({ property }) => property)).toEqual(
      ["EMPTY", "AZURE", "BATCH", "SHELL", "ACTIONS", "WINDOWS", "GONE"].map((name) => `secrets.${name}`),
    );
    expect(JSON.stringify(warnings)).not.toMatch(/sesame|MODEL_API_KEY/);
  });

  it.each([
    ["name", "$(Build.BuildId)"],
    ["name", "chat-${STACK}"],
    ["sourceConfig.repoUrl", "https://github.com/%ORGANIZATION%/${{ github.repository }}"],
    ["sourceConfig.repoUrl", "%REPOSITORY%"],
    ["sourceConfig.customUrl", "https://$(HOST)"],
    ["sourceConfig.repoUrl", "https://me:sesame@github.com/acme/chat"],
    ["sourceConfig.repoUrl", "https://sesame@github.com/acme/chat"],
    ["sourceConfig.repoUrl", "me:sesame@github.com/acme/chat"],
    ["sourceConfig.customUrl", "https://me:ses/ame@chat.example.com"],
  ])("refuses a %s such as %s, and does not repeat it", (property, text) => {
    const { failures } = checked(withValueAt(chat, property.split("."), text) as Values);
    expect(failures).toMatchObject([{ property }]);
    expect(failures[0]!.reason).not.toMatch(/sesame|ame@|BuildId|STACK|ORGANIZATION|HOST/);
  });

  it.each([
    ["sourceConfig.repoUrl", "git@github.com:acme/chat.git"],
    ["sourceConfig.repoUrl", "ssh://acme@vs-ssh.visualstudio.com/v3/acme/chat"],
    ["sourceConfig.repoUrl", "https://code.example.com/@acme/100%25/chat%20%41%42"],
    ["sourceConfig.customUrl", "https://chat.example.com/a@b"],
  ])("takes a %s such as %s", (property, text) => {
    expect(checked(withValueAt(chat, property.split("."), text) as Values).failures).toEqual([]);
  });

  it("refuses a name that is both a secret and a reference (G09)", () => {
    const secretReferences = { API_KEY: { secretName: "chat", secretKey: "key" } };
    expect(checked({ ...chat, secretReferences }).failures).toEqual([
      { property: "secretReferences.API_KEY", reason: "is also in `secrets`; use only one of them" },
    ]);
  });

  it("refuses a misspelt argument whose value is not known yet, and takes a known name", () => {
    const config = { imageUrl: unknownValue, imageUri: unknownValue };
    const [failure, ...others] = checked({ ...chat, sourceRevisionConfig: config }).failures;
    expect(failure?.reason).toBe('unknown key "imageUrl"; did you mean "imageUri"?');
    expect(others).toEqual([]);
  });

  it("says nothing of what a source accepts while the source itself is wrong", () => {
    const args = {
      name: "chat",
      source: "nonsense",
      sourceRevisionConfig: { imageUri: "x:1", repoRef: "main" },
    };
    const { failures, warnings } = check(undefined, args, standard);
    expect(failures.map(({ property }) => property)).toEqual(["source"]);
    expect(warnings).toEqual([]);
  });

  it.each<[string, Values, Values]>([
    ["sourceRevisionConfig.imageUri", { ...chat, sourceConfig: {} }, { sourceRevisionConfig: {} }],
    [
      "sourceConfig.repoUrl",
      { name: "chat", source: "codehost", sourceConfig: { repoUrl: "https://git.example.com/chat" } },
      { sourceConfig: {} },
    ],
  ])("warns once when the program takes away what the deployment runs: %s", (property, given, more) => {
    const [{ inputs: before }, next] = [checked(given), { ...given, ...more }];
    const { inputs, warnings } = checked(next, before);
    const reason = `is missing: without it, a deployment of source ${String(given["source"])} has nothing to run`;
    expect(warnings).toEqual([{ property, reason }]);
    expect(checked(next, inputs).warnings).toEqual([]);
    expect(checked(given, before).warnings).toEqual([]);
    expect(checked({ ...next, revisionSource: "internal_source" }, before).warnings).toEqual([]);
  });
});

describe("the generation", () => {
  const first = checked(chat).inputs;

  it.each<[string, Values, number]>([
    ["a new image", { sourceRevisionConfig: { imageUri: "registry.example.com/chat:2" } }, 6],
    ["no image any more", { sourceRevisionConfig: {} }, 6],
    ["an image that is not known yet", { sourceRevisionConfig: { imageUri: unknownValue } }, 6],
    ["a trigger", { triggers: 1 }, 6],
    ["a setting", { sourceConfig: { ...chat.sourceConfig, buildOnPush: true } }, 5],
    ["a secret", { secrets: { API_KEY: "l" } }, 5],
    ["another tier", { sourceConfig: { ...chat.sourceConfig, deploymentType: "prod" } }, 5],
    ["an override of the source for later revisions", { revisionSource: "internal_source" }, 5],
    ["skipAwait and adopt", { skipAwait: true, adopt: true }, 5],
    ["nothing", {}, 5],
  ])("after five revisions and %s (B08)", (_, change, expected) => {
    expect(checked({ ...chat, ...change }, { ...first, generation: 5 }).inputs).toMatchObject({
      generation: expected,
    });
  });

  it("counts from 1 in a state that has none (E34)", () => {
    const { generation: _, ...imported } = first;
    const { inputs } = checked({ ...chat, triggers: 1 }, imported);
    expect(inputs).toMatchObject({ generation: 2 });
  });
});

describe("a new deployment that declares no type", () => {
  const folder = { name: "chat", source: "internal_source" };
  const told = (more: Values, dialect = langsmith, old?: Planned) =>
    check(old, { ...folder, ...more }, dialect).hints;

  it("is told that it becomes dedicated, with the word to write", () => {
    expect(told({})).toEqual([
      "always runs, because no sourceConfig.deploymentType is declared: write `serverless` for one that scales to zero",
    ]);
  });

  it("is told nothing where that is not so, or not known", () => {
    for (const type of ["serverless", "dedicated", unknownValue])
      expect(told({ sourceConfig: { deploymentType: type } })).toEqual([]);
    expect(told({ sourceConfig: unknownValue })).toEqual([]);
    expect(told({ source: "external_container", sourceRevisionConfig: { imageUri: "x:1" } })).toEqual([]);
    expect(told({ adopt: true }).join()).not.toContain("always runs");
    expect(told({}, standard)).toEqual([]);
    expect(told({}, langsmith, { arguments: folder, generation: 1 })).toEqual([]);
  });
});
