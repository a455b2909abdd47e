/** The resource option `ignoreChanges`: values that others may change are never sent as they once were. */
import { expect, it } from "vitest";
import { parsePropertyPaths } from "../../../provider/property-path";
import { asObject, type Values } from "../../../schema/tree";
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

/** The size that a PATCH carries whose `cpu` changes: `mine` is declared, `had` was before, the service has `theirs`. */
async function sizeSent(
  mine: Values,
  theirs: Values,
  ignored: string,
  { had = mine, takenOver = false } = {},
) {
  const of = (size: Values) => ({ ...first, sourceConfig: { resourceSpec: { cpu: 1, ...size } } });
  const before = declare(of(had));
  const next = declare({ ...of({ ...mine, cpu: 2 }), skipAwait: true }, before);
  const found = served(before, { ...others, sourceConfig: of(theirs).sourceConfig });
  const state = stateAfter(before);
  const { work, service } = updating(
    { read: [found], update: [found] },
    next,
    { ...state, private: { ...state.private, takenOver } },
    { ignoreChanges: parsePropertyPaths([`sourceConfig.resourceSpec.${ignored}`]) },
  );
  await work;
  const { sourceConfig } = JSON.parse(JSON.stringify(service.calls[1]![2])) as Values;
  const { cpu, ...rest } = asObject(asObject(sourceConfig)["resourceSpec"]);
  expect(cpu).toBe(2);
  return rest;
}

it.each([
  ["[0].image", ["theirs-0", "mine-1"]],
  ["[*].image", ["theirs-0", "theirs-1"]],
  ["[1]", ["mine-0", "theirs-1"]],
  ["", ["theirs-0", "theirs-1"]],
])("of a list that is sent as a whole, the part at sidecars%s is the service's", async (part, images) => {
  const [mine, theirs] = [sidecars("mine-0", "mine-1"), sidecars("theirs-0", "theirs-1")];
  expect(await sizeSent({ sidecars: mine }, { sidecars: theirs }, `sidecars${part}`)).toEqual({
    sidecars: sidecars(...images),
  });
});

const mesh = { name: "mesh", image: "mesh:1", env: [{ name: "A", value: "a" }] };
const mounted = { name: "v", mountPath: "/v" };

it.each<[ignored: string, list: string, mine: Values[], theirs: Values[], sent: Values[]]>([
  ["[*].image", "sidecars", sidecars("x:1"), [...sidecars("x:9"), mesh], [...sidecars("x:9"), mesh]],
  ["[1].image", "sidecars", sidecars("x:1"), [...sidecars("x:9"), mesh], [...sidecars("x:1"), mesh]],
  ["[2].image", "sidecars", sidecars("x:1"), [...sidecars("x:9", "y:1"), mesh], [...sidecars("x:1"), mesh]],
  ["[0].image", "sidecars", sidecars("x:1"), [...sidecars("x:9"), mesh], sidecars("x:9")],
  ["[*].env", "sidecars", sidecars("x:1"), sidecars("x:9", "y:1"), sidecars("x:1", "y:1")],
  ["[*].image", "initContainers", sidecars("x:1"), [mesh, ...sidecars("x:9")], [...sidecars("x:9"), mesh]],
  ["[0].image", "initContainers", sidecars("x:1"), [mesh, ...sidecars("x:9")], sidecars("x:9")],
  [
    "[*].emptyDir",
    "volumes",
    [{ name: "v" }],
    [{ name: "w", emptyDir: {} }],
    [{ name: "v" }, { name: "w", emptyDir: {} }],
  ],
  [
    "[*].mountPath",
    "volumeMounts",
    [mounted],
    [{ ...mounted, mountPath: "/w" }, mounted],
    [{ ...mounted, mountPath: "/w" }, mounted],
  ],
  [
    "[*].name",
    "imagePullSecrets",
    [{ name: "a" }],
    [{ name: "a" }, { name: "b" }],
    [{ name: "a" }, { name: "b" }],
  ],
])(
  "where %s is left to others, %s keep whole items that only the service has",
  async (part, list, mine, theirs, items) => {
    expect(await sizeSent({ [list]: mine }, { [list]: theirs }, `${list}${part}`)).toEqual({ [list]: items });
  },
);

it("so do lists in items", async () => {
  const side = (...env: Values[]) => ({
    sidecars: [{ ...sidecars("x:1")[0], ...(env.length > 0 && { env }) }],
  });
  const [a, b, theirs] = [
    { name: "A", value: "1" },
    { name: "B", value: "2" },
    { name: "A", value: "9" },
  ];
  const sent = (mine: Values, found: Values, at = "*") =>
    sizeSent(mine, found, `sidecars[0].env[${at}].value`);
  expect(await sent(side(a), side(theirs, b))).toEqual(side(theirs, b));
  expect(await sent(side(a), side(theirs, b), "1")).toEqual(side(a, b));
  expect(await sent(side(), side(theirs, b), "1")).toEqual(side(theirs, b));
  expect(await sent({}, side(theirs, b))).toEqual(side(theirs, b));
});

it.each(["volumes[0].name", "volumes[*].name", "volumes[1].name", "volumes[*]", "volumes", "*"])(
  "a list that is not declared is sent whole where %s is left to others",
  async (ignored) => {
    const volumes = [{ name: "v", emptyDir: {} }, { name: "w" }];
    expect(await sizeSent({}, { volumes }, ignored)).toEqual({ volumes });
    expect(await sizeSent({}, { volumes: [] }, ignored)).toEqual({});
  },
);

it("items are told apart by their names, or by their places if others may rename them", async () => {
  const [mine, theirs] = [[{ name: "a" }], [{ name: "b" }]];
  const lists = (volumes: Values[]) => ({ volumes });
  expect(await sizeSent(lists(mine), lists(theirs), "volumes[*].name")).toEqual(lists(theirs));
  const [v, w] = [
    { name: "v", emptyDir: {} },
    { name: "w", emptyDir: { sizeLimit: "1Gi" } },
  ];
  expect(await sizeSent(lists([{ name: "w" }, v]), lists([v, w]), "volumes[*].emptyDir")).toEqual(
    lists([w, v]),
  );
});

it("an item that the program removes is removed, whatever of it is left to others", async () => {
  const had = { sidecars: sidecars("x:1", "y:1") };
  const found = { sidecars: [...sidecars("x:9", "y:9"), mesh] };
  const sent = (mine: Values) => sizeSent(mine, found, "sidecars[*].image", { had });
  expect(await sent({ sidecars: sidecars("x:1") })).toEqual({ sidecars: [...sidecars("x:9"), mesh] });
  expect(await sent({})).toEqual({});
});

it("items that others removed stay as declared, and what others removed from an item is not sent", async () => {
  const mine = [{ name: "log", image: "log:1" }, mesh];
  const found = [{ name: "mesh", image: "mesh:9" }];
  const sent = (part: string) => sizeSent({ sidecars: mine }, { sidecars: found }, `sidecars[*].${part}`);
  expect(await sent("image")).toEqual({ sidecars: [mine[0], { ...mesh, image: "mesh:9" }] });
  expect(await sent("env")).toEqual({ sidecars: [mine[0], { name: "mesh", image: "mesh:1" }] });
});

it("a list of which a part is left to others keeps what the service has added to its items", async () => {
  const [mine, theirs] = [sidecars("x:1"), [{ ...sidecars("x:9")[0], imagePullPolicy: "Always" }]];
  expect(
    await sizeSent({ sidecars: mine }, { sidecars: theirs }, "sidecars[*].image", { takenOver: true }),
  ).toEqual({
    sidecars: theirs,
  });
});

it("a PATCH that replaces a map carries what others added where `ignoreChanges` leaves it to them", async () => {
  const added = { ...others, secrets: { A: "a-1", B: "b-1", ADDED: "theirs" } };
  expect((await sent(rotated, ["secrets.ADDED"], added)).patch).toEqual({
    secrets: { A: "a-1", B: "new", ADDED: "theirs" },
  });
});
