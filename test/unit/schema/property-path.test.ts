import fc from "fast-check";
import { expect, it } from "vitest";
import { isCovered, parsePropertyPath } from "../../../schema/property-path";
import { formatPath, type Path } from "../../../schema/tree";

it.each([
  ["a.b", ["a", "b"]],
  ['a["b"]', ["a", "b"]],
  ['["a"].b', ["a", "b"]],
  ['["a"]["b.c"]', ["a", "b.c"]],
  ['a["say \\"hi\\""]', ["a", 'say "hi"']],
  ["a[0].b", ["a", 0, "b"]],
  ["a[*].b", ["a", "*", "b"]],
  ["a.*", ["a", "*"]],
  ["*", ["*"]],
  ["a.0", ["a", "0"]],
])("%s is read as Pulumi reads it", (text, path) => {
  expect(parsePropertyPath(text)).toEqual(path);
});

it.each([".a", "a[", "a[b]", 'a["b]', 'a["b"', "a..b", "a."])("%s is no path", (text) => {
  expect(parsePropertyPath(text)).toBeUndefined();
});

const name = fc.string({ minLength: 1 }).filter((text) => !text.includes("\\"));
const path = fc
  .tuple(name, fc.array(fc.oneof(name, fc.nat())))
  .map(([first, rest]): Path => [first, ...rest]);

it("what is written of a path is read as the same path", () => {
  fc.assert(
    fc.property(path, (given) => {
      expect(parsePropertyPath(formatPath(given))).toEqual(given);
    }),
  );
});

it("a pattern covers the path that it matches and everything below it, whatever its stars stand for", () => {
  fc.assert(
    fc.property(path, fc.array(name), fc.array(fc.boolean()), (given, more, stars) => {
      const pattern = given.map((part, index) => (stars[index] ? "*" : part));
      expect(isCovered([...given, ...more], [pattern])).toBe(true);
      if (more.length > 0) expect(isCovered(given, [[...pattern, ...more]])).toBe(false);
    }),
  );
});

it.each([
  [
    ["secrets", "AB"],
    ["secrets", "A"],
  ],
  [
    ["a", 0],
    ["a", "0"],
  ],
  [
    ["a", 1],
    ["a", 0],
  ],
])("%j is not covered by %j", (given, pattern) => {
  expect(isCovered(given, [pattern])).toBe(false);
});
