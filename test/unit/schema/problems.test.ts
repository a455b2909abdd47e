import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Deployment } from "../../../schema/deployment";
import { problemsOf } from "../../../schema/problems";
import { didYouMeanText } from "../../../schema/wording";
import { formatPath } from "../../../schema/tree";
import { rulesOf } from "../../../schema/rules";
import { placesIn, replaceAt, validArguments } from "../../support/arbitraries";

const valid = { name: "chat", source: "external_container" };
const textsOf = (value: unknown) =>
  problemsOf(Deployment, value).map(({ path, message }) => `${formatPath(path)}: ${message}`);
const config = (sourceConfig: object) => ({ ...valid, sourceConfig });
const spec = (resourceSpec: object) => config({ resourceSpec });

const anySource =
  "one of codehost, external_container, internal_container, internal_source, internal_template";

describe("a problem", () => {
  it.each<[unknown, string, string?]>([
    [{ source: "codehost" }, "name: is required"],
    [{ name: 7, source: "codehost" }, "name: expected a string, got a number"],
    [{ name: [], source: "codehost" }, "name: expected a string, got a list"],
    [{ name: { length: 0 }, source: "codehost" }, "name: expected a string, got an object"],
    [{ name: null, source: "codehost" }, "name: expected a string, got null"],
    [{ name: "chat" }, `source: is required: ${anySource}`],
    [{ ...valid, "a key": 3 }, '["a key"]: unknown key "a key"'],
    [config({ resources: {} }), 'sourceConfig.resources: unknown key "resources"; use resourceSpec'],
    [
      { ...valid, protect: true },
      'protect: unknown key "protect"; it is a resource option: in TypeScript, the third argument of the constructor',
    ],
    [spec({ cpu: "1" }), "sourceConfig.resourceSpec.cpu: expected a number, got a string"],
    [spec({ cpu: -1 }), "sourceConfig.resourceSpec.cpu: expected a number of at least 0"],
    [spec({ cpu: NaN }), "sourceConfig.resourceSpec.cpu: expected a number, got NaN"],
    [spec({ minScale: false }), "sourceConfig.resourceSpec.minScale: expected a number, got false"],
    [
      spec({ labels: { "a.com/b": 3 } }),
      'sourceConfig.resourceSpec.labels["a.com/b"]: expected a string, got a number',
    ],
    [
      spec({ sidecars: [{ env: [{ name: "A", valu: "1" }] }] }),
      'sourceConfig.resourceSpec.sidecars[0].env[0].valu: unknown key "valu"; did you mean "value"?',
    ],
    [spec({ imagePullSecrets: [{}] }), "sourceConfig.resourceSpec.imagePullSecrets[0].name: is required"],
    [{ ...valid, secrets: { A: 1 } }, "secrets.A: expected a string, got a number"],
    [{ ...valid, ready: "/ok" }, 'ready: expected an object, got a string; write an object: { path: "/ok" }'],
    [
      { ...valid, secretReferences: { A: { secretName: "s", key: "k" } } },
      "secretReferences.A.secretKey: is required",
      'secretReferences.A.key: unknown key "key"; expected one of secretName, secretKey',
    ],
  ])("%# says what was expected and where (G10)", (value, ...expected) => {
    expect(textsOf(value)).toEqual(expected);
  });

  it("is reported together with all others", () => {
    const wrong = { name: "", sourceConfig: { resourceSpec: { cpu: "1", memoryMB: 3 } }, secrets: 7 };
    expect(textsOf(wrong)).toHaveLength(5);
  });

  it("never repeats an invalid value, wherever it is", () => {
    const canary = "canary-5f1d";
    const wrong = fc.constantFrom<unknown>(canary, [canary], { value: canary }, 1e300, null, [[canary]]);
    fc.assert(
      fc.property(validArguments, wrong, fc.nat(), (values, by, pick) => {
        const places = placesIn(values);
        const broken = replaceAt(values, places[pick % places.length]!, by);
        for (const { message } of problemsOf(Deployment, broken)) expect(message).not.toContain(canary);
      }),
    );
  });

  it("is found in no value that fits", () => {
    fc.assert(
      fc.property(validArguments, (values) => {
        expect(textsOf(values)).toEqual([]);
      }),
    );
  });
});

describe("a suggestion", () => {
  const accepted = ["repoRef", "graphConfigPath", "imageUri", "sourceTarballPath"];
  it.each([
    ["repoRfe", '; did you mean "repoRef"?'],
    ["repo_ref", '; did you mean "repoRef"?'],
    ["IMAGE-URI", '; did you mean "imageUri"?'],
    ["graphConfig", ""],
    ["zzz", ""],
  ])("for %s is: %s", (word, expected) => {
    expect(didYouMeanText(word, accepted)).toBe(expected);
  });

  it("is not searched for if the word is far longer than any key", () => {
    expect(didYouMeanText("x".repeat(100_000), accepted)).toBe("");
  });
});

it("`sourceDirectory` is valid for internal_source only, and never together with another location of the code", () => {
  const folder = { source: "internal_source", sourceDirectory: "./agent" };
  const messages = (more: object) => rulesOf({ ...folder, ...more }).map(({ message }) => message);
  expect(messages({})).toEqual([]);
  expect(messages({ source: "codehost" })).toEqual([
    "only source internal_source supports a folder, but the source is codehost",
  ]);
  expect(messages({ sourceRevisionConfig: { sourceTarballPath: "a.tar.gz" } })).toEqual([
    expect.stringMatching(/^cannot be combined with sourceRevisionConfig.sourceTarballPath: /),
  ]);
  expect(messages({ revisionSource: "codehost" })).toEqual([
    "cannot be combined with revisionSource codehost: its revisions are internal_source",
  ]);
});
