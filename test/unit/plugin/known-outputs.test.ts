import { expect, it } from "vitest";
import { standard } from "../../../provider/dialects/standard";
import { langsmith } from "../../../provider/dialects/langsmith";
import { writeInputs } from "../../../provider/deployment/stored";
import { previewOfCreation, previewOfUpdate } from "../../../provider/plugin/known-outputs";
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

it("the tracing project is known in the preview of an update, unknown for a creation, and null where there is none", () => {
  const tracerSessionId = "5f0f6c1a-1f0b-4c53-9c3e-3f1c9a0d2b11";
  const shown = { ...state, observed: { ...state.observed, tracerSessionId } };
  const planned = { arguments: { ...declared.arguments, triggers: [1] }, generation: 2 };
  expect(previewOfUpdate({ state: shown, declared: planned }, langsmith)).toMatchObject({ tracerSessionId });
  const inputs = writeInputs(declared);
  expect(previewOfCreation(inputs, langsmith)["tracerSessionId"]).toBe(unknownValue);
  expect(previewOfCreation(inputs, standard)["tracerSessionId"]).toBeNull();
});
