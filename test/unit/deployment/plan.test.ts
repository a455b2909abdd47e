import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deployment, type ChangeEffect, type Field, type Fields } from "../../../schema/fields";
import { reasonsText } from "../../../provider/deployment/explanation";
import { plan as planOf } from "../../../provider/deployment/plan";
import { isWithin, isEqual, unknownValue, type Values } from "../../../schema/tree";
import { langsmith } from "../../../provider/dialects/langsmith";
import { standard } from "../../../provider/dialects/standard";
import { isTelling, normalisedArguments, reversedKeys, valueOfField } from "../../support/arbitraries";
import { runs } from "../../support/runs";

const plan = (old: Values, declared: Values, dialect = standard) =>
  planOf({ arguments: old }, { arguments: declared }, dialect);

describe("a plan", () => {
  it("names both words of a change of type or tier, as users write them", () => {
    const typed = (deploymentType: string, deploymentTier: string) => ({
      source: "internal_source",
      sourceConfig: { deploymentType, deploymentTier },
    });
    const changed = plan(typed("dev_zero", "SERVERLESS_S"), typed("prod", "DEDICATED_S"), langsmith);
    expect(changed.changes.map(({ summary }) => summary)).toEqual([
      "SERVERLESS_S => DEDICATED_S",
      "serverless => dedicated",
    ]);
  });

  it("is none when nothing differs but the order of keys (B06, C20, G04)", () => {
    fc.assert(
      fc.property(normalisedArguments, (values) => {
        expect(plan(values, reversedKeys(values) as Values).changes).toEqual([]);
      }),
    );
  });

  it("says for each field what the table says that a change of it causes (K28)", () => {
    for (const { path, field } of leavesOf(deployment)) {
      fc.assert(
        fc.property(fc.tuple(valueOfField(field), valueOfField(field)), ([before, after]) => {
          fc.pre(!isEqual(before, after));
          const { changes } = plan(nested(path, before), nested(path, after));
          expect(changes.length).toBeGreaterThan(0);
          for (const change of changes) {
            expect(change.effect).toBe(field.change);
            expect(isWithin(change.path, path)).toBe(true);
          }
        }),
        runs(5),
      );
    }
  });

  it("says the same if the field is added or removed, but never replaces for that (B10, D04, D06, D07)", () => {
    for (const { path, field } of leavesOf(deployment)) {
      const [value] = fc.sample(valueOfField(field).filter(isTelling), 1);
      const replaces = field.change === "replacement";
      const expected = [replaces ? "none" : field.change];
      expect(effectsOf(plan({}, nested(path, value)))).toEqual(expected);
      expect(effectsOf(plan(nested(path, value), {}))).toEqual(expected);
      if (replaces) expect(effectsOf(plan(nested(path, null), nested(path, value)))).toEqual(["replacement"]);
    }
  });

  it("counts unknown values as changed, but an unknown group as no replacement (G11)", () => {
    const old = { sourceRevisionConfig: { imageUri: "a" } };
    expect(plan(old, { sourceRevisionConfig: { imageUri: unknownValue } })).toMatchObject({
      effect: "revision",
      changes: [{ path: ["sourceRevisionConfig", "imageUri"], effect: "revision" }],
    });
    expect(plan(old, { sourceRevisionConfig: unknownValue })).toMatchObject({ effect: "revision" });
    expect(plan({ sourceConfig: {} }, { sourceConfig: unknownValue })).toMatchObject({ effect: "settings" });
  });

  it("is as severe as its severest change, and gives that one as the reason", () => {
    const old = { name: "a", sourceConfig: {}, sourceRevisionConfig: { imageUri: "a" } };
    const settings = { ...old, sourceConfig: { buildOnPush: true }, skipAwait: true };
    const revision = { ...settings, sourceRevisionConfig: { imageUri: "b" } };
    const cases = [old, { ...old, adopt: true }, settings, revision, { ...revision, name: "b" }];
    const plans = cases.map((declared) => plan(old, declared));
    expect(plans.map((made) => [made.effect, reasonsText(made.changes)])).toEqual([
      ["none", ""],
      ["none", ""],
      ["settings", "sourceConfig.buildOnPush"],
      ["revision", "sourceRevisionConfig.imageUri"],
      ["replacement", "name"],
    ]);
  });

  it("names what comes, goes and changes in a map, and never the values", () => {
    const { changes } = plan(
      { secrets: { A: "1", B: "2", C: "3" } },
      { secrets: { A: "1", B: "changed", "d.e": "4" } },
    );
    expect(changes.map(({ path: [, name], inMap }) => [name, inMap])).toEqual([
      ["B", "changed"],
      ["C", "removed"],
      ["d.e", "added"],
    ]);
  });
});

interface LeafAt {
  readonly path: readonly string[];
  readonly field: Extract<Field, { kind: "leaf" }>;
}

function leavesOf(table: Fields, at: readonly string[] = []): LeafAt[] {
  return Object.entries(table).flatMap(([name, field]): LeafAt[] =>
    field.kind === "leaf" ? [{ path: [...at, name], field }] : leavesOf(field.fields, [...at, name]),
  );
}

function nested(path: readonly string[], value: unknown): Values {
  return path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Values;
}

function effectsOf({ changes }: { changes: readonly { effect: ChangeEffect }[] }): ChangeEffect[] {
  return [...new Set(changes.map(({ effect }) => effect))];
}
