/** The resource option `ignoreChanges`: values that others may change are never sent as they once were. */
import { expect, it } from "vitest";
import { parsePropertyPaths } from "../../../provider/property-path";
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
    ignoreChanges: parsePropertyPaths(ignoreChanges),
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

const sidecars = (...images: string[]) => images.map((image, index) => ({ name: `side-${index}`, image }));

it.each([
  ['sourceRevisionConfig["imageUri"]', { triggers: [1] }, { sourceRevisionConfig: { imageUri: "chat:2" } }],
  ['["sourceRevisionConfig"].imageUri', { triggers: [1] }, { sourceRevisionConfig: { imageUri: "chat:2" } }],
  ["sourceRevisionConfig.*", { triggers: [1] }, { sourceRevisionConfig: { imageUri: "chat:2" } }],
  ["*.imageUri", { triggers: [1] }, { sourceRevisionConfig: { imageUri: "chat:2" } }],
  ['secrets["A"]', rotated, { secrets: { A: "a-2", B: "new" } }],
  ['sourceConfig.resourceSpec["maxScale"]', spec({}), spec({ maxScale: 9 })],
  ['["sourceConfig"]["resourceSpec"].maxScale', spec({}), spec({ maxScale: 9 })],
  ["sourceConfig.*.maxScale", spec({}), spec({ maxScale: 9 })],
  ["sourceConfig.resourceSpec.labels.*", spec({}), spec({ labels: { "a.b": "d" } })],
])("so it does where %s says the same in another form", async (ignored, change, patch) => {
  expect((await sent(change, [ignored])).patch).toEqual(patch);
});

it.each([
  ["[0].image", ["theirs-0", "mine-1"]],
  ["[*].image", ["theirs-0", "theirs-1"]],
  ["[1]", ["mine-0", "theirs-1"]],
  ["", ["theirs-0", "theirs-1"]],
])("of a list that is sent as a whole, the part at sidecars%s is the service's", async (part, images) => {
  const mine = { ...first.sourceConfig.resourceSpec, sidecars: sidecars("mine-0", "mine-1") };
  const theirs = { ...mine, sidecars: sidecars("theirs-0", "theirs-1") };
  const before = declare({ ...first, sourceConfig: { resourceSpec: mine } });
  const next = declare(
    { ...first, sourceConfig: { resourceSpec: { ...mine, cpu: 2 } }, skipAwait: true },
    before,
  );
  const found = served(before, { ...others, sourceConfig: { resourceSpec: theirs } });
  const { work, service } = updating({ read: [found], update: [found] }, next, stateAfter(before), {
    ignoreChanges: parsePropertyPaths([`sourceConfig.resourceSpec.sidecars${part}`]),
  });
  await work;
  expect(JSON.parse(JSON.stringify(service.calls[1]![2]))).toEqual({
    sourceConfig: { resourceSpec: { ...mine, cpu: 2, sidecars: sidecars(...images) } },
  });
});

it("a PATCH that replaces a map carries what others added where `ignoreChanges` leaves it to them", async () => {
  const added = { ...others, secrets: { A: "a-1", B: "b-1", ADDED: "theirs" } };
  expect((await sent(rotated, ["secrets.ADDED"], added)).patch).toEqual({
    secrets: { A: "a-1", B: "new", ADDED: "theirs" },
  });
});
