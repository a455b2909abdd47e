import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isObject, mapValues, type Values } from "../../../schema/tree";
import { fieldValues, json, mapOf, normalisedArguments } from "../../support/arbitraries";
import { observed, observedAs, withDrift } from "../../support/observed";
import { deployment } from "../../../schema/fields";
import { runs } from "../../support/runs";

describe("drift", () => {
  it("is none for what was never declared, however much the service fills in (A18, E13, E29)", () => {
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

  const chat = { name: "chat", source: "external_container" };
  const commit = "0123456789abcdef0123456789abcdef01234567";
  const spec = (resourceSpec: Values) => ({ resourceSpec });
  const listener = { listenerConfig: { k8sNamespace: "a" } };
  const repoUrl = "https://code.example.com/acme/chat";

  it.each<[what: string, declared: Values, shown: Values, seen: Values]>([
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
    [
      "no other spelling of a repository",
      { repoUrl },
      { repoUrl: "https://Code.example.com/Acme/chat.git" },
      { repoUrl },
    ],
  ])("shows %s (C18, C19, D08, E11, E12, E16)", (_, declared, shown, seen) => {
    const live = observed({ sourceConfig: shown });
    expect(withDrift({ ...chat, sourceConfig: declared }, live)["sourceConfig"]).toEqual(seen);
  });

  it.each([
    ["a b", "a", "a"],
    ["a b", "b a", "a b"],
    ["a b", "c b a", "a b"],
    ["b a", "a c", "a"],
  ])(
    "shows what others removed from the list %s, in the declared order, and not what they added: %s",
    (declared, shown, seen) => {
      const of = (names: string) => ({
        sourceConfig: spec({ imagePullSecrets: names.split(" ").map((name) => ({ name })) }),
      });
      expect(withDrift({ ...chat, ...of(declared) }, observed(of(shown)))).toEqual({ ...chat, ...of(seen) });
    },
  );

  it.each([
    ["no commit that a branch was resolved to", "repoRef", "main", commit, "main"],
    ["another branch", "repoRef", "main", "develop", "develop"],
    ["no digest of a tag", "imageUri", "chat:1", `chat:1@sha256:${"a".repeat(64)}`, "chat:1"],
    ["another image", "imageUri", "chat:1", "chat:2", "chat:2"],
  ])("of a revision shows %s (C23, E15)", (_, field, declared, shown, seen) => {
    const of = (value: string) => ({ sourceRevisionConfig: { [field]: value } });
    expect(withDrift({ ...chat, ...of(declared) }, observed(of(shown)))).toEqual({ ...chat, ...of(seen) });
  });

  it("keeps the declared name if the response has none (E33)", () => {
    expect(withDrift(chat, observed({ name: "" }))).toMatchObject({ name: "chat" });
  });

  it("shows a changed or missing secret reference, and none that someone added (E19, E20)", () => {
    const reference = (secretName: string) => ({ secretName, secretKey: "k" });
    const declared = { ...chat, secretReferences: { A: reference("a"), B: reference("b") } };
    const seen = observed({ secretReferences: { A: reference("other"), C: reference("c") } });
    expect(withDrift(declared, seen)["secretReferences"]).toEqual({ A: reference("other") });
  });
});

describe("drift of secrets", () => {
  const declared = { name: "chat", source: "external_container", secrets: { A: "one", B: "two" } };
  const seen = (secrets: Record<string, string | null> | undefined, more = {}) =>
    withDrift(declared, observed({ secrets, ...more }))["secrets"];

  const masks = "*** ab*****yz •••••••• ●●● xxxxxxxx XXXX <redacted> [hidden] (masked)";
  it.each([...masks.split(" "), "", "a b...c\n", null])(
    "is none if the service masks the values: %j (E28)",
    (mask) => {
      expect(seen({ A: mask, B: mask })).toEqual(declared.secrets);
    },
  );

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
