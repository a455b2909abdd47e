import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isObject, mapValues, type Values } from "../../../schema/tree";
import { fieldValues, json, mapOf, normalisedArguments } from "../../support/arbitraries";
import { observed, observedAs, withDrift } from "../../support/observed";
import { deployment } from "../../../schema/fields";
import { runs } from "../../support/runs";

describe("drift", () => {
  it("is none when the service has what was declared (E29)", () => {
    fc.assert(
      fc.property(normalisedArguments, (declared) => {
        expect(withDrift(declared, observedAs(declared))).toEqual(declared);
      }),
    );
  });

  it("is none for what was never declared, however much the service fills in (A18, E13)", () => {
    const extra = fc.record({
      sourceConfig: fieldValues(deployment.sourceConfig.fields),
      sourceRevisionConfig: fieldValues(deployment.sourceRevisionConfig.fields),
      secrets: mapOf(fc.string()),
      secretReferences: mapOf(json),
    });
    const filledIn = fc.tuple(normalisedArguments, extra).map(([declared, more]): [Values, Values] => {
      const added = mapValues(more, (each, name) =>
        declared[name] === undefined ? each : enriched(declared[name], each),
      );
      return [declared, { ...declared, ...added }];
    });
    fc.assert(
      fc.property(filledIn, ([declared, found]) => {
        expect(withDrift(declared, observedAs(found))).toEqual(declared);
      }),
      runs(60),
    );
  });

  it("is never found in what the response does not mention (E14)", () => {
    fc.assert(
      fc.property(normalisedArguments, ({ secrets: _, ...declared }) => {
        const { name, source } = declared as { name: string; source: string };
        const silent = observed({ name, source, secrets: undefined, sourceRevisionConfig: {} });
        expect(withDrift(declared, silent)).toEqual(declared);
      }),
    );
  });

  const config = (sourceConfig: Values) => ({ name: "chat", source: "external_container", sourceConfig });
  const revision = (sourceRevisionConfig: Values) => ({
    name: "chat",
    source: "external_container",
    sourceRevisionConfig,
  });
  const commit = "0123456789abcdef0123456789abcdef01234567";

  const spec = (resourceSpec: Values) => ({ resourceSpec });
  const listener = { listenerConfig: { k8sNamespace: "a" } };
  const repoUrl = "https://code.example.com/acme/chat";
  it.each<[string, Values, Values, Values]>([
    ["another value", { buildOnPush: true }, { buildOnPush: false }, { buildOnPush: false }],
    ["null", { installCommand: "npm ci" }, { installCommand: null }, {}],
    ["nothing for a field that is absent", { installCommand: "npm ci" }, {}, { installCommand: "npm ci" }],
    ["a missing group", listener, { listenerConfig: null }, { listenerConfig: {} }],
    ["a removed limit", spec({ cpu: 1, cpuLimit: 2 }), spec({ cpu: 1, cpuLimit: null }), spec({ cpu: 1 })],
    [
      "no empty map and no empty list if the service has none",
      spec({ annotations: {}, volumes: [] }),
      spec({ annotations: null, volumes: null }),
      spec({ annotations: {}, volumes: [] }),
    ],
    [
      "nothing of what others added to a list that is declared as empty",
      spec({ volumes: [] }),
      spec({ volumes: [{ name: "v" }] }),
      spec({ volumes: [] }),
    ],
    ...(
      [
        ["a b", "a", "a"],
        ["a b", "b a", "a b"],
        ["a b", "c b a", "a b"],
        ["b a", "a c", "a"],
      ] as const
    ).map(([declared, shown, seen]): [string, Values, Values, Values] => {
      const of = (names: string) => spec({ imagePullSecrets: names.split(" ").map((name) => ({ name })) });
      return [
        `what others removed from a list, in the declared order, and not what they added: ${shown}`,
        of(declared),
        of(shown),
        of(seen),
      ];
    }),
    [
      "no other spelling of a repository",
      { repoUrl },
      { repoUrl: "https://Code.example.com/Acme/chat.git" },
      { repoUrl },
    ],
  ])("shows %s (C18, C19, D08, E11, E12, E16)", (_name, declared, sourceConfig, expected) => {
    const { sourceConfig: seen } = withDrift(config(declared), observed({ sourceConfig }));
    expect(seen).toEqual(expected);
  });

  const image = "r.example.com/chat:1";
  it.each<[string, Values, Values, Values]>([
    [
      "no commit that a branch was resolved to",
      { repoRef: "main" },
      { repoRef: commit },
      { repoRef: "main" },
    ],
    ["another branch", { repoRef: "main" }, { repoRef: "develop" }, { repoRef: "develop" }],
    [
      "no digest of a tag",
      { imageUri: image },
      { imageUri: `${image}@sha256:${"a".repeat(64)}` },
      { imageUri: image },
    ],
    [
      "another image",
      { imageUri: image },
      { imageUri: "r.example.com/chat:2" },
      { imageUri: "r.example.com/chat:2" },
    ],
  ])("of a revision shows %s (C23, E15)", (_name, declared, sourceRevisionConfig, expected) => {
    const { sourceRevisionConfig: seen } = withDrift(revision(declared), observed({ sourceRevisionConfig }));
    expect(seen).toEqual(expected);
  });

  it("keeps the declared name if the response has none (E33)", () => {
    expect(withDrift(config({}), observed({ name: "" }))).toMatchObject({ name: "chat" });
  });

  it("shows a changed or missing secret reference, and none that someone added (E19, E20)", () => {
    const reference = (secretName: string) => ({ secretName, secretKey: "k" });
    const declared = { ...config({}), secretReferences: { A: reference("a"), B: reference("b") } };
    const seen = observed({ secretReferences: { A: reference("other"), C: reference("c") } });
    expect(withDrift(declared, seen)["secretReferences"]).toEqual({ A: reference("other") });
  });
});

describe("drift of secrets", () => {
  const declared = { name: "chat", source: "external_container", secrets: { A: "one", B: "two" } };
  const seen = (secrets: Record<string, string | null> | undefined, more = {}) =>
    withDrift(declared, observed({ secrets, ...more }))["secrets"];

  it.each([
    ...[
      "",
      "***",
      "ab*****yz",
      "••••••••",
      "●●●",
      "a b...c\n",
      "xxxxxxxx",
      "XXXX",
      "<redacted>",
      "[hidden]",
      "(masked)",
      null,
    ],
  ])("is none if the service masks the values: %j (E28)", (mask) => {
    expect(seen({ A: mask, B: mask })).toEqual(declared.secrets);
  });

  it("shows a changed value, a removed one, and none that someone added (E22, E23, E24, E25)", () => {
    expect(seen({ A: "other", C: "three" })).toEqual({ A: "other" });
  });

  it("is none if the service drops an empty value (E30)", () => {
    const empty = { ...declared, secrets: { A: "one", B: "" } };
    expect(withDrift(empty, observed({ secrets: { A: "one" } }))).toEqual(empty);
  });

  it("drift shows that all secrets are gone", () => {
    expect(seen({})).toEqual({});
  });

  it("is none in an empty list before the first revision, nor without a list (E26, E27)", () => {
    expect(seen({}, { latestRevisionId: null })).toEqual(declared.secrets);
    expect(seen(undefined)).toEqual(declared.secrets);
  });
});

/** The declared value with something from elsewhere beside every declared member, at any depth. */
function enriched(declared: unknown, extra: unknown): unknown {
  if (Array.isArray(declared)) return declared.map((item) => enriched(item, extra));
  if (!isObject(declared)) return declared;
  const beside = isObject(extra) ? extra : { "added-by-the-service": extra };
  return { ...beside, ...mapValues(declared, (value) => enriched(value, extra)) };
}
