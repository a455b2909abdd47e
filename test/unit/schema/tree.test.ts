import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasUnknown, isEqual, mayBeEqual, unknownValue } from "../../../schema/tree";
import { json, placesIn, replaceAt, reversedKeys } from "../../support/arbitraries";

describe("two values", () => {
  it("are the same as themselves, whatever the order of their keys (G14)", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(isEqual(value, structuredClone(value))).toBe(true);
        expect(isEqual(value, reversedKeys(value))).toBe(true);
      }),
    );
  });

  it("differ when anything in them does (G14)", () => {
    fc.assert(
      fc.property(json, fc.nat(), (value, pick) => {
        const places = placesIn(value);
        const other = replaceAt(value, places[pick % places.length]!, "something else entirely");
        expect(isEqual(value, other)).toBe(false);
        expect(isEqual(other, value)).toBe(false);
      }),
    );
  });

  it.each<[unknown, unknown]>([
    [{ a: undefined }, { b: undefined }],
    [{ toString: 1 }, {}],
    [null, undefined],
    [0, false],
    ["1", 1],
  ])("%j and %j differ", (a, b) => {
    expect(isEqual(a, b)).toBe(false);
    expect(isEqual(b, a)).toBe(false);
  });

  it("that are not known yet may always differ", () => {
    expect(isEqual(unknownValue, unknownValue)).toBe(false);
    expect(isEqual({ a: [unknownValue] }, { a: [unknownValue] })).toBe(false);
  });
});

it.each([
  [{ a: [1, 2] }, { a: [1, unknownValue] }, true],
  [{ a: [1, 2] }, unknownValue, true],
  [{ a: [1, 2] }, { a: [3, unknownValue] }, false],
  [{ a: 1 }, { a: 1, b: unknownValue }, false],
  [{ a: 1, b: 2 }, { a: unknownValue }, false],
  [[1], [1, unknownValue], false],
])("%j may be equal to what is not known in parts only where the known parts are", (a, b, isPossible) => {
  expect(mayBeEqual(a, b)).toBe(isPossible);
});

it("a value that is not known yet is found at any depth", () => {
  fc.assert(
    fc.property(json, fc.nat(), (value, pick) => {
      const places = placesIn(value);
      expect(hasUnknown(value)).toBe(false);
      expect(hasUnknown(replaceAt(value, places[pick % places.length]!, unknownValue))).toBe(true);
    }),
  );
});
