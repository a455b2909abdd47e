import { expect, it } from "vitest";
import { standard } from "../../../provider/dialects/standard";
import { langsmith } from "../../../provider/dialects/langsmith";
import { diff } from "../../../provider/deployment/diff";
import type { State } from "../../../provider/deployment/state";
import { writeInputs } from "../../../provider/stored/stored";
import type { Dialect } from "../../../provider/dialects";
import { previewOfCreation, previewOfUpdate } from "../../../provider/plugin/known-outputs";
import { unknownValue, type Values } from "../../../schema/tree";
import { declare, stateAfter } from "../../support/service";

const declared = declare();
const url = "https://chat.example.com";
const state = { ...stateAfter(declared), observed: { ...stateAfter(declared).observed, url } };

function preview(before: State, changed: Values, dialect: Dialect): Values {
  const planned = { arguments: { ...declared.arguments, ...changed }, generation: 2 };
  const { plan } = diff(before, planned, dialect);
  return previewOfUpdate({ plan, state: before, declared: planned }, dialect);
}

it.each<[string, unknown, Values]>([
  ["known if the update does not change it", url, { triggers: [1] }],
  ["unknown if it changes", unknownValue, { sourceConfig: { customUrl: "https://other.example.com" } }],
  ["unknown if it may change", unknownValue, { sourceConfig: { customUrl: unknownValue } }],
  ["unknown while all of `sourceConfig` is", unknownValue, { sourceConfig: unknownValue }],
])("the address is %s in a preview", (_, expected, changed) => {
  expect(preview(state, changed, standard)["url"]).toBe(expected);
});

it("the tracing project is known in the preview of an update, unknown for a creation, and null where there is none", () => {
  const tracerSessionId = "5f0f6c1a-1f0b-4c53-9c3e-3f1c9a0d2b11";
  const shown = { ...state, observed: { ...state.observed, tracerSessionId } };
  expect(preview(shown, { triggers: [1] }, langsmith)).toMatchObject({ tracerSessionId });
  const inputs = writeInputs(declared);
  expect(previewOfCreation(inputs, langsmith)["tracerSessionId"]).toBe(unknownValue);
  expect(previewOfCreation(inputs, standard)["tracerSessionId"]).toBeNull();
});
