/** Keys that mean something to JavaScript are keys like all others, in arguments and in responses, and change no prototype. */
import { withDrift } from "../support/observed";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { WireDeployment, WirePage } from "../../schema/wire";
import { Translator } from "../../provider/control-plane/translate";
import { check } from "../../provider/deployment/check";
import { isEqual, valueAt } from "../../schema/tree";
import { patchFor } from "../../provider/deployment/patch";
import { plan } from "../../provider/deployment/plan";
import { resultOf } from "../../provider/lookup/result";
import type { Declared } from "../../provider/deployment/state";
import { stateOf } from "../support/state";
import { writeState } from "../../provider/stored/stored";
import { dialects } from "../../provider/dialects";
import { toEngine } from "../../provider/dynamic/marshal";
import { runs } from "../support/runs";

const keys = "__proto__ constructor prototype toString hasOwnProperty valueOf then toJSON".split(" ");
const key = fc.constantFrom(...keys);
/** As JSON brings it: every key is the object's own. */
const own = (entries: readonly (readonly [string, unknown])[]) =>
  Object.fromEntries(entries) as Record<string, unknown>;
const copy = (value: object) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
const entriesOf = (values: unknown) => Object.entries((values ?? {}) as object).sort();
const map = fc.uniqueArray(fc.tuple(key, fc.string()), { selector: ([name]) => name }).map(own);
const extra = fc.dictionary(key, fc.constant({ polluted: true }));

afterEach(() => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect("polluted" in {}).toBe(false);
  expect(typeof {}.toString).toBe("function");
});

it("what an object inherits is not what it holds", () => {
  for (const name of keys) expect(isEqual(own([[name, {}]]), { other: {} })).toBe(false);
});

describe.each(Object.values(dialects))("with the dialect $name", (dialect) => {
  const translator = new Translator(dialect);
  const base = {
    name: "chat",
    source: "external_container",
    sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
  };

  it("labels and secrets of such names are checked, sent, answered and compared as they are", () => {
    fc.assert(
      fc.property(map, map, map, extra, (labels, annotations, secrets, more) => {
        const given = { ...base, sourceConfig: { resourceSpec: { labels, annotations } }, secrets };
        const { inputs, failures } = check(undefined, given, dialect);
        expect(failures).toEqual([]);
        const body = copy(translator.createBody(inputs.arguments as never));
        const spec = valueAt(body, ["source_config", "resource_spec"]) as Record<string, unknown> | undefined;
        expect(entriesOf(spec?.["labels"])).toEqual(entriesOf(labels));
        const sent = body["secrets"] as { name: string; value: string }[];
        expect(sent.map(({ name, value }) => [name, value])).toEqual(entriesOf(secrets));

        const ids = { id: "d1", status: "READY", latest_revision_id: "r1", active_revision_id: "r1" };
        const page = { resources: [{ ...body, ...more, ...ids }], offset: 1, ...more };
        const observed = translator.fromWire(WireDeployment.parse(WirePage.parse(copy(page)).resources[0]));
        expect(entriesOf(observed.secrets)).toEqual(entriesOf(secrets));
        expect(entriesOf(resultOf(observed)["secrets"])).toEqual(entriesOf(secrets));
        expect(withDrift(inputs.arguments, observed)).toEqual(inputs.arguments);

        const state = toEngine(writeState(stateOf(inputs as Declared, observed, { dialect })));
        expect(plan({ arguments: copy(inputs.arguments) }, inputs, dialect).effect).toBe("none");
        expect(Object.keys((state["secrets"] ?? {}) as object).sort()).toEqual(Object.keys(secrets).sort());
      }),
      runs(60),
    );
  });

  it("a map that gains or loses such a key has changed", () => {
    for (const name of keys) {
      const secrets = own([[name, "value"]]);
      const [without, withKey] = [{ arguments: base }, { arguments: { ...base, secrets } }];
      const [added, removed] = [plan(without, withKey, dialect), plan(withKey, without, dialect)];
      for (const { changes } of [added, removed]) {
        expect(changes.map(({ path }) => path)).toEqual([["secrets", name]]);
      }
      expect(patchFor(added.changes, withKey.arguments, dialect)).toEqual({ secrets });
    }
  });

  it("arguments of such names are unknown, at every level", () => {
    for (const name of keys.filter((each) => each !== "__proto__")) {
      const value = own([[name, "x"]]);
      const given = { ...base, ...value, sourceConfig: { ...value, resourceSpec: value } };
      const { failures } = check(undefined, given, dialect);
      expect(failures.map(({ property }) => property).sort()).toEqual(
        [name, `sourceConfig.${name}`, `sourceConfig.resourceSpec.${name}`].sort(),
      );
    }
  });
});
