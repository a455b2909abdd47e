import { expect, test } from "vitest";
import { fromManifest, fromRepository, Provider } from "../../../provider";

test.each([
  ["fromManifest expects the path", () => fromManifest(undefined as never)],
  ["fromManifest expects the path", () => fromManifest(null as never)],
  ["fromManifest expects the path", () => fromManifest(5 as never)],
  ["fromManifest expects its options", () => fromManifest("f.yaml", null as never)],
  ["fromRepository expects a repository", () => fromRepository(undefined as never)],
  ['new Provider("p", …) expects its arguments', () => new Provider("p", undefined as never)],
])("a value that is not there is told in a sentence: %s", (sentence, call) => {
  expect(call).toThrow(sentence);
});
