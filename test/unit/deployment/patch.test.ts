import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { patchFor } from "../../../provider/deployment/patch";
import { plan as planOf } from "../../../provider/deployment/plan";
import { formatPath, isObject, type Values } from "../../../schema/tree";
import { standard } from "../../../provider/dialects/standard";
import { isTelling, normalisedArguments } from "../../support/arbitraries";
import { runs } from "../../support/runs";

const changes = (old: Values, declared: Values) =>
  planOf({ arguments: old }, { arguments: declared }, standard).changes;
const patch = (old: Values, declared: Values) => patchFor(changes(old, declared), declared, standard);
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
  it("turns the old arguments into the new ones, by the rules of the service (B04, C16, C17, G06)", () => {
    fc.assert(
      fc.property(twoVersions, ([old, declared]) => {
        expect(onTheWire(applied(old, { ...patch(old, declared) }))).toEqual(onTheWire(declared));
      }),
      runs(100),
    );
  });

  it("holds nothing that did not change (B02, C04, G17)", () => {
    fc.assert(
      fc.property(twoVersions, ([old, declared]) => {
        const made = changes(old, declared);
        const changed = (path: string) => made.some((change) => isAtOrBelow(formatPath(change.path), path));
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
      runs(100),
    );
  });

  const old = {
    sourceRevisionConfig: { imageUri: "registry.example.com/chat:1", graphConfigPath: "graph.json" },
    secrets: { A: "1", B: "2" },
    secretReferences: { C: { secretName: "s", secretKey: "k" } },
    triggers: 1,
  };
  const { sourceRevisionConfig } = old;

  it.each<[string, Values, Values]>([
    ["null for removed references", { secretReferences: undefined }, { secretReferences: null }],
    ["the current revision fields for triggers alone", { triggers: 2 }, { sourceRevisionConfig }],
    [
      "the source of the revision together with a revision",
      { triggers: 2, revisionSource: "internal_source" },
      { sourceRevisionConfig, revisionSource: "internal_source" },
    ],
    ["nothing for a source of later revisions alone", { revisionSource: "internal_source" }, {}],
  ])("has %s (C15, G08)", (_name, change, expected) => {
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
