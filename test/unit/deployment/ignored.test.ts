/** The resource option `ignoreChanges`: values that others may change are never sent as they once were. */
import { expect, it } from "vitest";
import { isCovered } from "../../../provider/deployment/plan";
import type { Values } from "../../../schema/tree";
import { declare, served, stateAfter, updating } from "../../support/service";

const first = {
  source: "external_container",
  sourceConfig: { resourceSpec: { cpu: 1, maxScale: 3, labels: { "a.b": "c" } } },
  sourceRevisionConfig: { imageUri: "chat:1" },
  secrets: { A: "a-1", B: "b-1" },
};
/** What others have made of it. */
const others = {
  sourceConfig: { resourceSpec: { cpu: 1, maxScale: 9, labels: { "a.b": "d" } } },
  sourceRevisionConfig: { imageUri: "chat:2" },
  secrets: { A: "a-2", B: "b-2" },
};
const spec = (more: Values) => ({
  sourceConfig: { resourceSpec: { cpu: 2, maxScale: 3, labels: { "a.b": "c" }, ...more } },
});
const rotated = { secrets: { A: "a-1", B: "new" } };

async function sent(change: Values, ignoreChanges: string[], seen: Values = others) {
  const before = declare(first);
  const next = declare({ ...first, ...change, skipAwait: true }, before);
  const found = served(before, seen);
  const { work, service, said } = updating({ read: [found], update: [found] }, next, stateAfter(before), {
    ignoreChanges,
  });
  await work;
  expect(service.methods).toEqual(["read", "update"]);
  const warnings = said.filter((line) => line.includes("`ignoreChanges`"));
  return { patch: JSON.parse(JSON.stringify(service.calls[1]![2])) as Values, warnings };
}

it.each([
  ["sourceRevisionConfig.imageUri", { triggers: [1] }, { sourceRevisionConfig: { imageUri: "chat:2" } }],
  ["sourceRevisionConfig", { triggers: [1] }, { sourceRevisionConfig: { imageUri: "chat:2" } }],
  ["sourceConfig.resourceSpec.maxScale", spec({}), spec({ maxScale: 9 })],
  ['sourceConfig.resourceSpec.labels["a.b"]', spec({}), spec({ labels: { "a.b": "d" } })],
  ["secrets.A", rotated, { secrets: { A: "a-2", B: "new" } }],
])("a PATCH carries %s as the service has it (G16)", async (ignored, change, patch) => {
  expect(await sent(change, [ignored])).toEqual({ patch, warnings: [] });
});

it("a PATCH carries no ignored secret that others removed, and the last known value of one that is not shown", async () => {
  const removed = await sent(rotated, ["secrets.A"], { ...others, secrets: { B: "b-1" } });
  expect(removed.patch).toEqual({ secrets: { B: "new" } });
  expect(await sent(rotated, ["secrets.A"], { ...others, secrets: { A: null, B: null } })).toEqual({
    patch: rotated,
    warnings: [
      "warning: chat: `ignoreChanges` leaves the secret A to others, but the service does not show its value: the last known " +
        "value is sent",
    ],
  });
});

it.each([
  [["secrets", "AB"], "secrets.A", false],
  [["secrets", "A"], "secrets.A", true],
  [["secrets", "A.B"], "secrets", true],
  [["triggers"], "*", true],
])("%j is covered by %s: %s", (path, option, expected) => {
  expect(isCovered(path, [option])).toBe(expected);
});
