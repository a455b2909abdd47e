import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { valueIn } from "../../../provider/deployment/drift";
import { driftOf, normalizedAfter } from "../../../provider/deployment/normalized";
import type { Declared } from "../../../provider/deployment/state";
import { keepUndeclared, undeclaredIn } from "../../../provider/deployment/undeclared";
import type { Values } from "../../../provider/values";
import { standard } from "../../../provider/dialects/standard";
import { normalisedArguments } from "../../support/arbitraries";
import { observedAs } from "../../support/observed";

/** What is declared, and anything else of the same shape that a service could show instead. */
const shown = fc.tuple(normalisedArguments, normalisedArguments).map(([declared, other]) => ({
  declared: declared as unknown as Declared,
  observed: observedAs({ ...other, name: declared["name"], source: declared["source"] }),
}));
const partsOf = (declared: Values) =>
  fc.subarray(Object.keys(declared)).map((names) => Object.fromEntries(names.map((n) => [n, declared[n]])));
const args = ({ generation: _, ...declared }: Declared): Values => ({ ...declared });

describe("whatever a service shows of what is declared", () => {
  it("is drift as long as nothing is remembered, and none once all of it was sent", () => {
    fc.assert(
      fc.property(shown, ({ declared, observed }) => {
        const known = normalizedAfter(args(declared), declared, observed);
        expect(driftOf(args(declared), observed, known)).toEqual({
          values: args(declared),
          normalized: known,
        });
        if (known.some(({ path }) => path[0] !== "secrets")) {
          expect(driftOf(args(declared), observed).values).not.toEqual(args(declared));
        }
      }),
    );
  });

  it("is remembered only where it was sent", () => {
    const histories = shown.chain((each) => partsOf(args(each.declared)).map((sent) => ({ ...each, sent })));
    fc.assert(
      fc.property(histories, ({ declared, observed, sent }) => {
        for (const { path } of normalizedAfter(sent, declared, observed)) {
          expect(valueIn(sent, path)).toBeDefined();
        }
        const known = normalizedAfter(args(declared), declared, observed);
        const kept = known.filter(({ path }) => valueIn(sent, path) === undefined);
        const asDeclared = observedAs(args(declared));
        expect(normalizedAfter(sent, declared, asDeclared, known)).toEqual(kept);
      }),
    );
  });

  it("is forgotten when the service shows what is declared, but for what it shows for secrets", () => {
    fc.assert(
      fc.property(shown, ({ declared, observed }) => {
        const known = normalizedAfter(args(declared), declared, observed);
        const { values, normalized } = driftOf(args(declared), observedAs(args(declared)), known);
        expect(values).toEqual(args(declared));
        expect(normalized.every(({ path }) => path[0] === "secrets")).toBe(true);
      }),
    );
  });
});

describe("a change that takes along what nobody declares", () => {
  const whole = (declared: Values) => ({
    sourceConfig: { resourceSpec: (declared["sourceConfig"] as Values)["resourceSpec"] },
  });
  const withSpec = shown.filter(({ declared }) => declared.sourceConfig?.resourceSpec !== undefined);

  it("holds all that is declared, and leaves out nothing that is there", () => {
    fc.assert(
      fc.property(withSpec, ({ declared, observed }) => {
        const patch = keepUndeclared(whole(args(declared)), {}, args(declared), observed, standard);
        const sent = observedAs({ ...args(declared), ...patch });
        expect(driftOf(args(declared), sent).values).toEqual(args(declared));
        for (const path of undeclaredIn(args(declared), observed, standard)) {
          if (path[1] === "resourceSpec" && path.length === 3) {
            expect(valueIn(patch, path)).toEqual(valueIn(observed, path));
          }
        }
      }),
    );
  });

  it("takes nothing along that was declared before and is not any more", () => {
    fc.assert(
      fc.property(withSpec, ({ declared, observed }) => {
        const before = { sourceConfig: observed.sourceConfig };
        const patch = keepUndeclared(whole(args(declared)), before, args(declared), observed, standard);
        expect(patch).toEqual(whole(args(declared)));
      }),
    );
  });
});
