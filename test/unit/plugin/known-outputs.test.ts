import { expect, it } from "vitest";
import { standard } from "../../../provider/dialects/standard";
import { previewOfUpdate } from "../../../provider/plugin/known-outputs";
import { unknownValue, type Values } from "../../../schema/tree";
import { declare, stateAfter } from "../../support/service";

const declared = declare();
const url = "https://chat.example.com";
const state = { ...stateAfter(declared), observed: { ...stateAfter(declared).observed, url } };

it.each<[string, unknown, Values]>([
  ["known if the update does not change it", url, { triggers: [1] }],
  ["unknown if it changes", unknownValue, { sourceConfig: { customUrl: "https://other.example.com" } }],
  ["unknown if it may change", unknownValue, { sourceConfig: { customUrl: unknownValue } }],
  ["unknown while all of `sourceConfig` is", unknownValue, { sourceConfig: unknownValue }],
])("the address is %s in a preview", (_, expected, changed) => {
  const planned = { arguments: { ...declared.arguments, ...changed }, generation: 2 };
  expect(previewOfUpdate({ state, declared: planned }, standard)["url"]).toBe(expected);
});
