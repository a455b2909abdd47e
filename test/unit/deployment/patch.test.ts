import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { patchFor } from "../../../provider/deployment/patch";
import { planChanges } from "../../../provider/deployment/plan";
import { formatPath, isObject, type Values } from "../../../schema/tree";
import { standard } from "../../../provider/dialects/standard";
import { isTelling, normalisedArguments } from "../../support/arbitraries";

const plan = (old: Values, declared: Values) => planChanges(old, declared, standard);
const patch = (old: Values, declared: Values) => patchFor(plan(old, declared), declared, standard);
/** Two sets of arguments of one deployment: what can never change is the same in both. */
const twoVersions = fc
  .tuple(normalisedArguments, normalisedArguments)
  .map(([before, after]): [Values, Values] => {
    const { deploymentType } = (before["sourceConfig"] ?? {}) as Values;
    const { deploymentType: _, ...config } = (after["sourceConfig"] ?? {}) as Values;
    const sourceConfig = { ...config, ...(deploymentType !== undefined && { deploymentType }) };
    const { secretReferences, ...rest } = after;
    const takesReferences = before["source"] === "external_container" && secretReferences !== undefined;
    return [
      before,
      {
        ...rest,
        name: before["name"],
        source: before["source"],
        sourceConfig,
        ...(takesReferences && { secretReferences }),
      },
    ];
  });

describe("a PATCH", () => {
  it("makes the new out of the old, by the rules of the service", () => {
    fc.assert(
      fc.property(twoVersions, ([old, declared]) => {
        expect(onTheWire(applied(old, { ...patch(old, declared) }))).toEqual(onTheWire(declared));
      }),
      { numRuns: 300 },
    );
  });

  it("holds nothing that did not change (B02, C04, G17)", () => {
    fc.assert(
      fc.property(twoVersions, ([old, declared]) => {
        const made = plan(old, declared);
        const changed = (path: string) =>
          made.changes.some((change) => isAtOrBelow(formatPath(change.path), path));
        const sent = patchFor(made, declared, standard);
        for (const name of Object.keys(sent.sourceConfig ?? {})) {
          expect(changed(`sourceConfig.${name}`), name).toBe(true);
        }
        expect(sent.secrets !== undefined).toBe(changed("secrets"));
        expect(sent.secretReferences !== undefined).toBe(changed("secretReferences"));
        const revised = changed("sourceRevisionConfig") || changed("triggers");
        expect(sent.sourceRevisionConfig !== undefined).toBe(revised);
        for (const name of Object.keys(sent.sourceRevisionConfig ?? {})) {
          const isOnlyTriggered = !changed("sourceRevisionConfig");
          expect(isOnlyTriggered || changed(`sourceRevisionConfig.${name}`), name).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  const old = {
    sourceConfig: {
      buildOnPush: true,
      installCommand: "npm ci",
      resourceSpec: { cpu: 1, memoryMb: 512 },
      listenerConfig: { k8sNamespace: "a" },
    },
    sourceRevisionConfig: { imageUri: "registry.example.com/chat:1", graphConfigPath: "graph.json" },
    secrets: { A: "1", B: "2" },
    secretReferences: { C: { secretName: "s", secretKey: "k" }, D: { secretName: "s", secretKey: "d" } },
    triggers: 1,
  };
  const { installCommand: _, ...withoutCommand } = old.sourceConfig;

  it.each<[string, Values, Values]>([
    [
      "a changed field alone",
      { sourceConfig: { ...old.sourceConfig, buildOnPush: false } },
      { sourceConfig: { buildOnPush: false } },
    ],
    [
      "null for a removed field",
      { sourceConfig: withoutCommand },
      { sourceConfig: { installCommand: null } },
    ],
    [
      "the whole resource specification when a part changed",
      { sourceConfig: { ...old.sourceConfig, resourceSpec: { cpu: 2, memoryMb: 512 } } },
      { sourceConfig: { resourceSpec: { cpu: 2, memoryMb: 512 } } },
    ],
    [
      "the whole resource specification when a part was removed",
      { sourceConfig: { ...old.sourceConfig, resourceSpec: { cpu: 1 } } },
      { sourceConfig: { resourceSpec: { cpu: 1 } } },
    ],
    [
      "null for a listener's settings that were removed",
      { sourceConfig: { ...old.sourceConfig, listenerConfig: undefined } },
      { sourceConfig: { listenerConfig: null } },
    ],
    ["all secrets when one changed", { secrets: { A: "1", B: "3" } }, { secrets: { A: "1", B: "3" } }],
    ["all secrets that are left when one was removed", { secrets: { A: "1" } }, { secrets: { A: "1" } }],
    ["no secrets at all when the last was removed", { secrets: undefined }, { secrets: {} }],
    ["null for references that were removed", { secretReferences: undefined }, { secretReferences: null }],
    [
      "the references whole",
      { secretReferences: { C: { secretName: "s", secretKey: "k" } } },
      { secretReferences: { C: { secretName: "s", secretKey: "k" } } },
    ],
    [
      "the changed revision field alone",
      { sourceRevisionConfig: { ...old.sourceRevisionConfig, imageUri: "registry.example.com/chat:2" } },
      { sourceRevisionConfig: { imageUri: "registry.example.com/chat:2" } },
    ],
    [
      "null for a removed revision field",
      { sourceRevisionConfig: { imageUri: old.sourceRevisionConfig.imageUri } },
      { sourceRevisionConfig: { graphConfigPath: null } },
    ],
    [
      "the current revision fields for triggers alone",
      { triggers: 2 },
      { sourceRevisionConfig: old.sourceRevisionConfig },
    ],
    [
      "the source of the revision together with a revision",
      { triggers: 2, revisionSource: "internal_source" },
      { sourceRevisionConfig: old.sourceRevisionConfig, revisionSource: "internal_source" },
    ],
    ["nothing for a source of later revisions alone", { revisionSource: "internal_source" }, {}],
    ["nothing for adopt and skipAwait", { adopt: true, skipAwait: true }, {}],
  ])("has %s (B04, C02, C15, G06, G08)", (_name, change, expected) => {
    expect(patch(old, { ...old, ...change })).toEqual(expected);
  });
});

function isAtOrBelow(path: string, at: string): boolean {
  return path === at || path.startsWith(`${at}.`) || path.startsWith(`${at}[`);
}

/** What the service does with a PATCH: objects key by key, `null` clears, all else as a whole. */
function applied(old: Values, { sourceConfig, sourceRevisionConfig, ...whole }: Values): Values {
  const merge = (before: unknown, change: unknown) => {
    const merged = Object.entries({ ...(before as Values), ...(change as Values) });
    return Object.fromEntries(merged.filter(([, value]) => value !== null));
  };
  return {
    ...old,
    ...whole,
    sourceConfig: merge(old["sourceConfig"], sourceConfig),
    sourceRevisionConfig: merge(old["sourceRevisionConfig"], sourceRevisionConfig),
  };
}

/** What the service holds of arguments: nothing local, and nothing where there is nothing. */
function onTheWire(values: Values): unknown {
  const { triggers: _t, adopt: _a, ready: _y, skipAwait: _s, revisionSource: _r, ...sent } = values;
  return withoutEmpty(sent, 2);
}

function withoutEmpty(value: unknown, depth: number): unknown {
  if (!isObject(value) || depth < 0) return value;
  const entries = Object.entries(value)
    .map(([key, inner]): [string, unknown] => [key, withoutEmpty(inner, depth - 1)])
    .filter(([, inner]) => isTelling(inner));
  return Object.fromEntries(entries);
}
