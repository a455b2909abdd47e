import fc, { type Arbitrary } from "fast-check";
import { describe, expect, it } from "vitest";
import { withDrift } from "../../../provider/deployment/drift";
import { immutableValues } from "../../../provider/deployment/immutable";
import { standard } from "../../../provider/dialects/standard";
import { isObject, mapValues, type Values, withMissing } from "../../../schema/tree";
import { fieldValues, json, mapOf, normalisedArguments } from "../../support/arbitraries";
import { observed, observedAs } from "../../support/observed";
import { deployment } from "../../../schema/fields";

describe("drift", () => {
  it("is none when the service has what was declared (E29)", () => {
    fc.assert(
      fc.property(normalisedArguments, (declared) => {
        expect(withDrift(declared, observedAs(declared))).toEqual(declared);
      }),
    );
  });

  it("is none for what was never declared, however much the service fills in (A18, E13)", () => {
    const filledIn = normalisedArguments.chain((declared) => {
      const { sourceConfig, sourceRevisionConfig, secrets, secretReferences } = declared;
      const extra = {
        sourceConfig: more(fieldValues(deployment.sourceConfig.fields), sourceConfig),
        sourceRevisionConfig: more(fieldValues(deployment.sourceRevisionConfig.fields), sourceRevisionConfig),
        secrets: more(mapOf(fc.string()), secrets),
        secretReferences: more(mapOf(json), secretReferences),
      };
      return fc.record(extra).map((found): [Values, Values] => [declared, { ...declared, ...found }]);
    });
    fc.assert(
      fc.property(filledIn, ([declared, found]) => {
        expect(withDrift(declared, observedAs(found))).toEqual(declared);
      }),
      { numRuns: 200 },
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

  it.each<[string, Values, Values, Values]>([
    ["another value", config({ buildOnPush: true }), { buildOnPush: false }, { buildOnPush: false }],
    ["null", config({ installCommand: "npm ci" }), { installCommand: null }, {}],
    ["an absent field as not known", config({ installCommand: "npm ci" }), {}, { installCommand: "npm ci" }],
    [
      "a group that is gone",
      config({ listenerConfig: { k8sNamespace: "a" } }),
      { listenerConfig: null },
      { listenerConfig: {} },
    ],
    [
      "a number in a group, and no default beside it",
      config({ resourceSpec: { cpu: 1, memoryMb: 512 } }),
      { resourceSpec: { cpu: 2, memoryMb: 512, queueCpu: 1 } },
      { resourceSpec: { cpu: 2, memoryMb: 512 } },
    ],
    [
      "a limit that somebody took away",
      config({ resourceSpec: { cpu: 1, cpuLimit: 2 } }),
      { resourceSpec: { cpu: 1, cpuLimit: null } },
      { resourceSpec: { cpu: 1 } },
    ],
    [
      "no empty map and no empty list where the service has none",
      config({ resourceSpec: { cpu: 1, annotations: {}, volumes: [] } }),
      { resourceSpec: { cpu: 1, annotations: null, volumes: null } },
      { resourceSpec: { cpu: 1, annotations: {}, volumes: [] } },
    ],
    [
      "a label, and none of the service's own",
      config({ resourceSpec: { labels: { team: "a", tier: "b" } } }),
      { resourceSpec: { labels: { team: "c", "managed-by": "service" } } },
      { resourceSpec: { labels: { team: "c" } } },
    ],
    [
      "a container's image, and no default beside it",
      config({ resourceSpec: { sidecars: [{ name: "log", image: "log:1" }] } }),
      { resourceSpec: { sidecars: [{ name: "log", image: "log:2", imagePullPolicy: "Always" }] } },
      { resourceSpec: { sidecars: [{ name: "log", image: "log:2" }] } },
    ],
    [
      "a list of another length",
      config({ resourceSpec: { imagePullSecrets: [{ name: "a" }, { name: "b" }] } }),
      { resourceSpec: { imagePullSecrets: [{ name: "a" }] } },
      { resourceSpec: { imagePullSecrets: [{ name: "a" }] } },
    ],
    [
      "the order of a list",
      config({ resourceSpec: { imagePullSecrets: [{ name: "a" }, { name: "b" }] } }),
      { resourceSpec: { imagePullSecrets: [{ name: "b" }, { name: "a" }] } },
      { resourceSpec: { imagePullSecrets: [{ name: "b" }, { name: "a" }] } },
    ],
    [
      "another repository, but not its address with .git",
      config({ repoUrl: "https://code.example.com/acme/chat" }),
      { repoUrl: "https://Code.example.com/Acme/chat.git" },
      { repoUrl: "https://code.example.com/acme/chat" },
    ],
  ])("shows %s (C18, C19, D08, E11, E12, E16)", (_name, declared, sourceConfig, expected) => {
    const { sourceConfig: seen } = withDrift(declared, observed({ sourceConfig }));
    expect(seen).toEqual(expected);
  });

  it.each<[string, Values, Values, Values]>([
    [
      "no commit that a branch was resolved to",
      { repoRef: "main" },
      { repoRef: commit },
      { repoRef: "main" },
    ],
    ["another branch", { repoRef: "main" }, { repoRef: "develop" }, { repoRef: "develop" }],
    [
      "another commit than the declared one",
      { repoRef: commit },
      { repoRef: "f".repeat(40) },
      { repoRef: "f".repeat(40) },
    ],
    [
      "no digest that a tag was resolved to",
      { imageUri: "r.example.com/chat:1" },
      { imageUri: `r.example.com/chat:1@sha256:${"a".repeat(64)}` },
      { imageUri: "r.example.com/chat:1" },
    ],
    [
      "another image",
      { imageUri: "r.example.com/chat:1" },
      { imageUri: "r.example.com/chat:2" },
      { imageUri: "r.example.com/chat:2" },
    ],
  ])("of a revision shows %s (C23, E15)", (_name, declared, sourceRevisionConfig, expected) => {
    const { sourceRevisionConfig: seen } = withDrift(revision(declared), observed({ sourceRevisionConfig }));
    expect(seen).toEqual(expected);
  });

  it("shows no name where the response has none (E33)", () => {
    expect(withDrift(config({}), observed({ name: "" }))).toMatchObject({ name: "chat" });
  });

  it("shows a reference to another secret of the cluster, one that is gone, and none that somebody added (E19, E20)", () => {
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
    "",
    "***",
    "ab*****yz",
    "••••••••",
    "●●●",
    "xxxxxxxx",
    "XXXX",
    "<redacted>",
    "[hidden]",
    "(masked)",
    null,
  ])("is none behind the mask %j (E28)", (mask) => {
    expect(seen({ A: mask, B: mask })).toEqual(declared.secrets);
  });

  it("shows a changed value, a removed one, and none that somebody added (E22, E23)", () => {
    expect(seen({ A: "other", C: "three" })).toEqual({ A: "other" });
  });

  it("is none where the service drops an empty value (E30)", () => {
    const empty = { ...declared, secrets: { A: "one", B: "" } };
    expect(withDrift(empty, observed({ secrets: { A: "one" } }))).toEqual(empty);
  });

  it("shows that all are gone", () => {
    expect(seen({})).toEqual({});
  });

  it("is none in an empty list before there is a revision, nor where the response has no list (E26, E27)", () => {
    expect(seen({}, { latestRevisionId: null })).toEqual(declared.secrets);
    expect(seen(undefined)).toEqual(declared.secrets);
  });
});

describe("what was chosen on creation", () => {
  it("is kept from the response, and fills in what the program leaves open", () => {
    const immutable = immutableValues(
      observed({ sourceConfig: { deploymentType: "prod", buildOnPush: true } }),
      standard,
    );
    expect(immutable).toEqual({ sourceConfig: { deploymentType: "prod" } });
    expect(withMissing({ name: "chat" }, immutable)).toEqual({ name: "chat", ...immutable });
    expect(withMissing({ sourceConfig: { buildOnPush: true } }, immutable)).toEqual({
      sourceConfig: { buildOnPush: true, deploymentType: "prod" },
    });
    const later = observed({ sourceConfig: { deploymentType: "dev" } });
    expect(immutableValues(later, standard, immutable)).toEqual(immutable);
  });

  it("never goes before what the program says", () => {
    const own = { sourceConfig: { deploymentType: "dev" } };
    expect(withMissing(own, { sourceConfig: { deploymentType: "prod" } })).toEqual(own);
  });

  it("is null where the service says that there is none, so that declaring it later is a change", () => {
    expect(immutableValues(observed({ sourceConfig: { deploymentType: null } }), standard)).toEqual({
      sourceConfig: { deploymentType: null },
    });
  });
});

/** The declared value with something from elsewhere beside every declared member, at any depth. */
function more(elsewhere: Arbitrary<unknown>, declared: unknown): Arbitrary<unknown> {
  if (declared === undefined) return elsewhere;
  return elsewhere.map((extra) => enriched(declared, extra));
}

function enriched(declared: unknown, extra: unknown): unknown {
  if (Array.isArray(declared)) return declared.map((item) => enriched(item, extra));
  if (!isObject(declared)) return declared;
  const beside = isObject(extra) ? extra : { "added-by-the-service": extra };
  return { ...beside, ...mapValues(declared, (value) => enriched(value, extra)) };
}
