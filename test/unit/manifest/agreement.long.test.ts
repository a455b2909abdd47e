import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import Ajv from "ajv";
import fc, { type Arbitrary } from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { isObject, valueAt, type Values } from "../../../schema/tree";
import { sources } from "../../../schema/enums";
import { manifestSchema } from "../../tools/generated/manifest-schema";
import { sourcesOf } from "../../../schema/sources";
import { json, placesIn, replaceAt } from "../../support/arbitraries";
import { check } from "./checked";
import { escaped, manifests, toYaml } from "./manifests";
import { runs } from "../../support/runs";

interface Described {
  description?: string;
  properties?: Record<string, Described>;
}

const schema = JSON.parse(manifestSchema()) as Described;
const validates = new Ajv({ allErrors: true, verbose: true }).compile(schema);

/** What a JSON Schema can say. The rest is about other fields, other deployments and the world around. */
const shape = new Set(["type", "enum", "format", "range", "unknown-key", "key", "required", "version"]);
/** What is about other fields, other deployments and the world around. */
const beyond = new Set(["reference", "cycle", "environment", "fields", "credential", "name"]);

const folder = resolve(__dirname, "../../manifest-corpus");
/** JSON has no key that is no text. */
const corpus = readdirSync(folder).filter((name) => name.endsWith(".yaml") && !/no-text/.test(name));
const fits = (manifest: unknown) =>
  !hasForeignFields(manifest) &&
  !check(toYaml(manifest as never)).problems.some(
    ({ rule, severity }) => severity === "error" && shape.has(rule),
  );

/** Whether a deployment whose source is said has a field that means nothing for it: the checker only warns of most. */
function hasForeignFields(manifest: unknown): boolean {
  const { defaults, deployments, stacks } = manifest as Record<string, Values>;
  const source = valueAt(defaults, ["source"]);
  const parts = Object.values(stacks ?? {}).flatMap((stack) => partsIn(valueAt(stack, ["deployments"])));
  return [
    defaults,
    ...partsIn(deployments).map((each) =>
      isObject(each) && source !== undefined ? { source, ...each } : each,
    ),
    ...parts,
  ].some((part) =>
    Object.entries(sourcesOf).some(([path, takers]) => {
      const own = valueAt(part, ["source"]);
      const isSource = sources.some((each) => each === own);
      return isSource && isGiven(valueAt(part, path.split("."))) && !takers.some((taker) => taker === own);
    }),
  );
}

const partsIn = (map: unknown) => (isObject(map) ? Object.values(map) : []);

/** An empty map says the same as none, and `null` in one removes. */
function isGiven(value: unknown): boolean {
  const isEmpty = isObject(value) && Object.values(value).every((inner) => inner === null);
  return value !== undefined && value !== null && !isEmpty;
}

/** Words that are near to being right. */
const nearly: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom("codehost", "0.5", "true", "${config.a}", "$${config.a}", "30m", -1, 1.5, 1, true, [], {}, [
    "chat",
  ]),
  json.map(escaped),
  fc.constantFrom(
    null,
    { DB: { secretName: "a" } },
    { DB: { secretName: "a", secretKey: "b" } },
    { DB: null },
  ),
);

/** Parts of a deployment in the defaults or in an overlay. */
const layered = fc
  .tuple(manifests, fc.constantFrom("defaults", "overlay", "neither"), fc.nat())
  .map(([manifest, layer, seed]): Values => {
    const deployments = manifest["deployments"] as Record<string, Values>;
    const [key, first] = Object.entries(deployments)[0]!;
    if (layer === "neither") return manifest;
    const entries = Object.entries(first).filter(([name]) => name !== "options");
    const isMoved = (index: number) => ((seed >> index) & 1) === 1;
    const moved = Object.fromEntries(entries.filter((_, index) => isMoved(index)));
    const kept = Object.fromEntries(entries.filter((_, index) => !isMoved(index)));
    if (layer === "defaults")
      return { ...manifest, defaults: moved, deployments: { ...deployments, [key]: kept } };
    return { ...manifest, stacks: { prod: { deployments: { [key]: moved } } } };
  });

/** What a merge makes of a part, no schema knows. */
function isOfMerge(manifest: unknown): boolean {
  const { defaults, stacks } = manifest as Values;
  return defaults !== undefined || stacks !== undefined;
}

const reference = { DB: { secretName: "a", secretKey: "b" } };

describe("the JSON Schema", () => {
  it("accepts what the checker accepts, and nothing else but what only a merge makes wrong", () => {
    let refused = 0;
    fc.assert(
      fc.property(layered, fc.nat(), nearly, fc.boolean(), (manifest, index, value, isChanged) => {
        const places = placesIn(manifest);
        const place = places[index % places.length]!;
        const changed = isChanged ? replaceAt(manifest, place, value) : manifest;
        // A file of nothing but a text may be empty, which is told in another way.
        fc.pre(typeof changed === "object" && changed !== null && !Array.isArray(changed));
        const isAccepted = validates(changed) === true;
        const isFit = fits(changed);
        if (!isAccepted) refused++;
        if (isFit || !isOfMerge(changed)) expect(isAccepted, JSON.stringify(validates.errors)).toBe(isFit);
      }),
      runs(100),
    );
    expect(refused).toBeGreaterThan(5);
  });

  it.each(corpus)("says of %s what the checker says", (name) => {
    const text = readFileSync(join(folder, name), "utf8");
    const { problems } = check(text);
    const isYaml = problems.every(({ rule }) => shape.has(rule) || beyond.has(rule));
    if (!isYaml) return;
    const manifest: unknown = parse(text, { merge: true, logLevel: "silent" });
    const isFit =
      !hasForeignFields(manifest) &&
      !problems.some(({ rule, severity }) => severity === "error" && shape.has(rule));
    const isAccepted = validates(manifest) === true;
    if (isFit || !isOfMerge(manifest)) expect(isAccepted, JSON.stringify(validates.errors)).toBe(isFit);
  });

  const a = (deployment: object | null) => ({ deployments: { a: deployment } });
  const overlay = (deployment: object) => ({ stacks: { b: a(deployment) } });
  const image = { imageUri: "registry.example.com/chat:1" };
  const revisionSource = "internal_container";
  const cases: [string, object, string?][] = [
    [
      "of another source",
      a({ source: "external_container", sourceConfig: { repoUrl: "${config.url}" } }),
      ".deployments['a'].sourceConfig.repoUrl: sourceConfig.repoUrl is not for source external_container, only for codehost",
    ],
    [
      "of another source, in an overlay",
      overlay({ source: "codehost", sourceRevisionConfig: image }),
      ".stacks['b'].deployments['a'].sourceRevisionConfig.imageUri: sourceRevisionConfig.imageUri is not for source codehost, only for external_container, internal_container",
    ],
    [
      "of another source than the defaults have",
      { defaults: { source: "internal_template" }, ...a({ secretReferences: reference }) },
      ".deployments['a'].secretReferences['DB']: secretReferences is not for source internal_template, only for external_container",
    ],
    ["of the revision's own source", a({ source: "codehost", revisionSource, sourceRevisionConfig: image })],
    [
      "of another source, removed",
      {
        defaults: { sourceConfig: { buildOnPush: true } },
        ...a({ source: "external_container", sourceConfig: { buildOnPush: null }, secretReferences: {} }),
      },
    ],
    ["of a source that is not in the file", a({ source: "${env.SOURCE}", sourceRevisionConfig: image })],
  ];
  it.each(cases)("says in an editor what is wrong with a field %s", (_, manifest, expected) => {
    expect(validates({ version: 1, ...manifest })).toBe(expected === undefined);
    const said = (validates.errors ?? []).flatMap(({ dataPath, parentSchema }) => {
      const { errorMessage } = parentSchema as { errorMessage?: string };
      return errorMessage === undefined ? [] : [`${dataPath}: ${errorMessage}`];
    });
    expect(said).toEqual(expected === undefined ? [] : [expected]);
  });
});
