import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { detectDrift, normalizedAfter } from "../../../provider/deployment/normalized";
import type { Observed } from "../../../provider/deployment/service";
import { withUndeclared } from "../../../provider/deployment/keep";
import { isEqual, valueAt, withValueAt, type Values } from "../../../schema/tree";
import { standard } from "../../../provider/dialects/standard";
import { normalisedArguments } from "../../support/arbitraries";
import { observedAs } from "../../support/observed";

/** What is declared, and anything else of the same shape that a service could show instead. */
const shown = fc.tuple(normalisedArguments, normalisedArguments).map(([declared, other]) => ({
  declared,
  observed: observedAs({ ...other, name: declared["name"], source: declared["source"] }),
}));
/** An object that is declared may hold more on the service than is declared; a scalar differs or it does not. */
const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean());
const partsOf = (declared: Values) =>
  fc.subarray(Object.keys(declared)).map((names) => Object.fromEntries(names.map((n) => [n, declared[n]])));
const afterSending = (sent: Values, declared: Values, observed: Observed) =>
  normalizedAfter({ sent }, declared, observed, observed);

describe("whatever a service shows of what is declared", () => {
  it("is drift as long as nothing is remembered, and none once all of it was sent", () => {
    fc.assert(
      fc.property(shown, ({ declared, observed }) => {
        const known = afterSending(declared, declared, observed);
        expect(detectDrift(declared, observed, known)).toEqual({
          arguments: declared,
          normalizations: known,
        });
        if (known.length > 0) expect(detectDrift(declared, observed).arguments).not.toEqual(declared);
      }),
    );
  });

  it("is drift where it is another value than the one that is remembered", () => {
    fc.assert(
      fc.property(shown, scalar, ({ declared, observed }, other) => {
        const known = afterSending(declared, declared, observed);
        for (const { path, sent, shown: before } of known.filter((each) => each.sent !== undefined)) {
          fc.pre(path[0] !== "name" && !isEqual(other, sent) && !isEqual(other, before));
          if (valueAt(observed, path) === undefined) continue;
          const changed = withValueAt(observed, path, other);
          expect(detectDrift(declared, changed, known).arguments).not.toEqual(declared);
        }
      }),
    );
  });

  it("is remembered only where it was sent", () => {
    const histories = shown.chain((each) => partsOf(each.declared).map((sent) => ({ ...each, sent })));
    fc.assert(
      fc.property(histories, ({ declared, observed, sent }) => {
        for (const { path } of afterSending(sent, declared, observed)) {
          expect(valueAt(sent, path)).toBeDefined();
        }
        const normalizations = afterSending(declared, declared, observed);
        const kept = normalizations.filter(({ path }) => valueAt(sent, path) === undefined);
        const before = { arguments: {}, updatedAt: "", revisions: [], normalizations };
        const asDeclared = observedAs(declared);
        expect(normalizedAfter({ sent, before }, declared, asDeclared, asDeclared)).toEqual(kept);
      }),
    );
  });

  it("is forgotten when the service shows what is declared, but for the names of secrets", () => {
    fc.assert(
      fc.property(shown, ({ declared, observed }) => {
        const known = afterSending(declared, declared, observed);
        const { arguments: seen, normalizations } = detectDrift(declared, observedAs(declared), known);
        expect(seen).toEqual(declared);
        expect(normalizations.every(({ path }) => path[0] === "secrets")).toBe(true);
      }),
    );
  });
});

describe("a change that takes along what nobody declares", () => {
  const spec = ["sourceConfig", "resourceSpec"];
  const whole = (declared: Values) => withValueAt({}, spec, valueAt(declared, spec));
  const withSpec = shown.filter(({ declared }) => valueAt(declared, spec) !== undefined);

  it("holds all that is declared, and leaves out nothing that is there", () => {
    fc.assert(
      fc.property(withSpec, ({ declared, observed }) => {
        const patch = withUndeclared(whole(declared), {}, declared, observed, standard);
        const sent = observedAs({ ...declared, ...patch });
        expect(detectDrift(declared, sent).arguments).toEqual(declared);
        for (const [name, value] of Object.entries((valueAt(observed, spec) ?? {}) as Values)) {
          const path = [...spec, name];
          const isEmpty = value === null || isEqual(value, {}) || isEqual(value, []);
          const isDefault = isEmpty || isEqual(value, standard.defaults[path.join(".")]);
          if (valueAt(declared, path) === undefined && !isDefault) {
            expect(valueAt(patch, path)).toEqual(value);
          }
        }
      }),
    );
  });

  it("takes nothing along that was declared before and is not any more", () => {
    fc.assert(
      fc.property(withSpec, ({ declared, observed }) => {
        const before = { sourceConfig: observed.sourceConfig };
        const patch = withUndeclared(whole(declared), before, declared, observed, standard);
        expect(patch).toEqual(whole(declared));
      }),
    );
  });
});
