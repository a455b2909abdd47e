/** The resource option `ignoreChanges`: values that others may change are never sent as they once were. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { JsonObject } from "../../../emulator";
import { diff } from "../../../provider/deployment/diff";
import { patchAmongOthers } from "../../../provider/deployment/patch";
import { plan } from "../../../provider/deployment/plan";
import type { CheckedArguments } from "../../../provider/deployment/state";
import { parseState } from "../../../provider/stored/stored";
import { standard } from "../../../provider/dialects/standard";
import { coveredPaths, parsePropertyPaths } from "../../../schema/property-path";
import { resourceSpec } from "../../../schema/fields";
import {
  asObject,
  formatPath,
  isNothing,
  type Path,
  valueAt,
  type Values,
  withValueAt,
} from "../../../schema/tree";
import { fieldValues, mapOf } from "../../support/arbitraries";
import { observed } from "../../support/observed";
import { startOne } from "../../support/one-deployment";
import { runs } from "../../support/runs";
import { declare, served, setUp, stateAfter, updating } from "../../support/service";

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

/** What an update carries whose program declared `had`, and now has this change beside. */
async function sent(change: Values, ignoreChanges: string[], seen: Values = others, had: Values = first) {
  const before = declare(had);
  const next = declare({ ...first, ...change, skipAwait: true }, before);
  const found = served(before, seen);
  const { work, service } = updating({ read: [found], update: [found] }, next, stateAfter(before), {
    ignoreChanges: parsePropertyPaths(ignoreChanges),
  });
  await work;
  expect(service.methods).toEqual(["read", "update"]);
  return JSON.parse(JSON.stringify(service.calls[1]![2])) as Values;
}

it.each([
  ["sourceRevisionConfig.imageUri", { triggers: [1] }, { sourceRevisionConfig: { imageUri: "chat:2" } }],
  ["sourceRevisionConfig", { triggers: [1] }, { sourceRevisionConfig: { imageUri: "chat:2" } }],
  ["sourceConfig.resourceSpec.maxScale", spec({}), spec({ maxScale: 9 })],
  ['sourceConfig.resourceSpec.labels["a.b"]', spec({}), spec({ labels: { "a.b": "d" } })],
  ["secrets.A", rotated, { secrets: { A: "a-2", B: "new" } }],
])("a PATCH carries %s as the service has it (G16)", async (ignored, change, patch) => {
  expect(await sent(change, [ignored])).toEqual(patch);
});

it("a PATCH carries no ignored secret that others removed, and is refused if the service does not show one", async () => {
  const removed = await sent(rotated, ["secrets.A"], { ...others, secrets: { B: "b-1" } });
  expect(removed).toEqual({ secrets: { B: "new" } });
  await expect(sent(rotated, ["secrets.A"], { ...others, secrets: { A: null, B: null } })).rejects.toThrow(
    "hides the values of A, which this update would lose. Remove `secrets.A` from `ignoreChanges`",
  );
});

it.each([
  ["masked", "from the creation on"],
  ["null", "from the creation on"],
  ["omitted", "from the creation on"],
  ["word", "from the creation on"],
  ["masked", "since a refresh"],
] as const)(
  "`up` refuses to send an ignored secret that the service shows as %s, and says what to do, as the preview does (%s)",
  async (shown, since) => {
    const isLater = since === "since a refresh";
    const one = await startOne(isLater ? {} : { secrets: shown });
    const program = (rotated: string): Values => ({
      ...first,
      name: "chat",
      secrets: { FIX: "fix-secret-1", KEY: rotated },
    });
    await one.up(program("key-secret-1"));
    if (isLater) {
      one.emulator.configure({ secrets: shown });
      await one.refresh();
    }
    const ignoreChanges = parsePropertyPaths(["secrets.FIX"]);
    const advice = "Remove `secrets.FIX` from `ignoreChanges`";
    const { inputs } = one.preview(program("key-secret-2"));
    const state = parseState(one.kept!.outputs);
    expect(diff(state, inputs, standard, { ignoreChanges }).warnings.join()).toContain(advice);
    await expect(one.up(program("key-secret-2"), { ignoreChanges })).rejects.toThrow(advice);
    expect(await one.up(program("key-secret-2"))).toHaveLength(1);
  },
);

/** The size that a PATCH carries whose `cpu` changes: `mine` is declared, `had` was before, the service has `theirs`. */
async function sizeSent(mine: Values, theirs: Values, ignored: string, { had = mine } = {}) {
  const of = (size: Values) => ({ sourceConfig: { resourceSpec: { cpu: 1, ...size } } });
  const change = of({ ...mine, cpu: 2 });
  const path = `sourceConfig.resourceSpec.${ignored}`;
  const patch = await sent(change, [path], { ...others, ...of(theirs) }, { ...first, ...of(had) });
  const { cpu, ...rest } = valueAt(patch, ["sourceConfig", "resourceSpec"]) as Values;
  expect(cpu).toBe(2);
  return rest;
}

const container = (name: string, version: number) => ({ name, image: `${name}:${version}` });
const log = (version: number) => container("log", version);
const scan = (version: number) => container("scan", version);
const mesh = { ...container("mesh", 1), env: [{ name: "A", value: "a" }] };
const bare = { name: "w" };
const v = { name: "v", emptyDir: {} };
const w = { ...bare, emptyDir: { sizeLimit: "1Gi" } };
const empty = { ...bare, emptyDir: {} };
const mounted = (mountPath: string) => ({ name: "v", mountPath });
/** A container with these variables. */
const withEnv = (...values: string[]) => ({
  ...log(1),
  env: values.map((value) => ({ name: value[0], value })),
});

it.each<[ignored: string, list: string, mine: Values[], theirs: Values[], sent: Values[]]>([
  ["[*].image", "sidecars", [log(1)], [log(9), mesh], [log(9), mesh]],
  ["[1].image", "sidecars", [log(1)], [log(9), mesh], [log(1), mesh]],
  ["[0].image", "sidecars", [log(1)], [mesh, log(9)], [log(9), mesh]],
  ["[*].env", "sidecars", [log(1)], [log(9), scan(1)], [log(1), scan(1)]],
  ["[*].image", "initContainers", [log(1)], [mesh, log(9)], [log(9), mesh]],
  ["[0].env", "initContainers", [log(1)], [mesh, log(9)], [log(1), mesh]],
  ["[*].emptyDir", "volumes", [{ name: "v" }], [empty], [{ name: "v" }, empty]],
  [
    "[*].mountPath",
    "volumeMounts",
    [mounted("/v")],
    [mounted("/w"), mounted("/v")],
    [mounted("/v"), mounted("/w")],
  ],
  // In the declared order, told apart by their names.
  ["[0]", "sidecars", [log(1), scan(1)], [scan(1), log(1)], [log(1), scan(1)]],
  ["[*].emptyDir", "volumes", [bare, v], [v, w], [w, v]],
  // Items that others removed stay as declared, and what they removed from one is not sent.
  ["[*].image", "sidecars", [log(1), mesh], [container("mesh", 9)], [log(1), { ...mesh, image: "mesh:9" }]],
  ["[*].env", "sidecars", [log(1), mesh], [container("mesh", 9)], [log(1), container("mesh", 1)]],
  // Lists in items.
  ["[0].env[*].value", "sidecars", [withEnv("A1")], [withEnv("A9", "B2")], [withEnv("A9", "B2")]],
  ["[0].env[1].value", "sidecars", [withEnv("A1")], [withEnv("A9", "B2")], [withEnv("A1", "B2")]],
])(
  "where %s is left to others, %s keep whole items that only the service has: %j, %j",
  async (part, list, mine, theirs, items) => {
    expect(await sizeSent({ [list]: mine }, { [list]: theirs }, `${list}${part}`)).toEqual({ [list]: items });
  },
);

it.each(["volumes[0].name", "volumes[*].name", "volumes[1].name", "volumes[*]", "volumes"])(
  "a list that is not declared is sent whole where %s is left to others",
  async (ignored) => {
    const volumes = [{ name: "v", emptyDir: {} }, { name: "w" }];
    expect(await sizeSent({}, { volumes }, ignored)).toEqual({ volumes });
    expect(await sizeSent({}, { volumes: [] }, ignored)).toEqual({});
  },
);

it("an item that the program removes is removed, whatever of it is left to others", async () => {
  const had = { sidecars: [log(1), scan(1)] };
  const found = { sidecars: [log(9), scan(9), mesh] };
  const sent = (mine: Values) => sizeSent(mine, found, "sidecars[*].image", { had });
  expect(await sent({ sidecars: [log(1)] })).toEqual({ sidecars: [log(9), mesh] });
  expect(await sent({})).toEqual({ sidecars: [mesh] });
});

const shared = {
  sourceConfig: {
    resourceSpec: {
      cpu: 1,
      maxScale: 3,
      annotations: { own: "o", x: "1" },
      sidecars: [
        { name: "a", image: "a:1" },
        { name: "b", image: "b:1" },
      ],
    },
  },
  secretReferences: { DB: { secretName: "db", secretKey: "u" }, Q: { secretName: "q1", secretKey: "u" } },
};
const program = (cpu: number) => ({
  source: "external_container",
  name: "chat",
  sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
  ...shared,
  sourceConfig: { resourceSpec: { ...shared.sourceConfig.resourceSpec, cpu } },
  secretReferences: { ...shared.secretReferences, Q: { secretName: `q${cpu}`, secretKey: "u" } },
});

/** A deployment in whose size others change this after the stack created it; undefined is removed. */
async function changedByOthers(change: Values) {
  const one = await startOne();
  await one.up(program(1));
  one.emulator.change("chat", ({ source_config }) => {
    const size = Object.entries({ ...asObject(source_config["resource_spec"]), ...change });
    const left = Object.fromEntries(size.filter(([, value]) => value !== undefined));
    source_config["resource_spec"] = left as JsonObject;
  });
  /** All but `cpu`. */
  const sizeIn = (config: unknown) => {
    const { cpu: _, ...size } = structuredClone(
      valueAt(config, ["source_config", "resource_spec"]),
    ) as Values;
    return size;
  };
  const sizeSent = async (args: Values, ignored: string) => {
    const ignoreChanges = parsePropertyPaths([`sourceConfig.resourceSpec.${ignored}`]);
    return sizeIn((await one.up(args, { ignoreChanges }))[0]?.body);
  };
  return { sizeSent, size: sizeIn(one.emulator.deployment("chat")) };
}

const [a, b] = shared.sourceConfig.resourceSpec.sidecars;
const env = [{ name: "E", value: "others" }];

it.each<[ignored: string, what: string, change: Values]>([
  ["annotations.x", "removed one name", { annotations: { own: "o" } }],
  ["annotations", "removed all", { annotations: undefined }],
  ["annotations.*", "removed one and added one", { annotations: { own: "o", e: "others" } }],
  ["sidecars", "added a field to an item", { sidecars: [{ ...a, env }, b] }],
  ["sidecars", "removed an item", { sidecars: [b] }],
  ["sidecars", "removed the list", { sidecars: undefined }],
  ["sidecars[*]", "removed the first item", { sidecars: [b] }],
  ["sidecars[*]", "removed the last item", { sidecars: [a] }],
  ["sidecars[*]", "inserted an item in front", { sidecars: [mesh, a, b] }],
  ["sidecars[0]", "removed the first item", { sidecars: [b] }],
  ["sidecars[0]", "replaced the first item", { sidecars: [b, mesh] }],
])("where %s is left to others, each later change keeps what they did: %s", async (ignored, _, change) => {
  const { sizeSent, size } = await changedByOthers(change);
  for (const cpu of [2, 3]) expect(await sizeSent(program(cpu), ignored)).toEqual(size);
});

it("what the program adds to items that are left to others is sent, and what it removes is not", async () => {
  const c = { name: "c", image: "c:1" };
  for (const [mine, sidecars] of [
    [
      [a, b, c],
      [mesh, a, b, c],
    ],
    [[a], [mesh, a]],
  ] as const) {
    const { sizeSent } = await changedByOthers({ sidecars: [mesh, a, b] });
    const next = withValueAt(program(2), ["sourceConfig", "resourceSpec", "sidecars"], mine);
    expect((await sizeSent(next, "sidecars[*]"))["sidecars"]).toEqual(sidecars);
  }
});

const name = fc.constantFrom("a", "b.c", "*d", "__proto__", "app.example.com/x");
const reference = fc.record({ secretName: name, secretKey: name }, { noNullPrototype: true });
/** Everything that is sent as a whole. */
const wholes = fc.record({
  resourceSpec: fieldValues(resourceSpec),
  secrets: mapOf(fc.constantFrom("value-1", "value-2"), name),
  secretReferences: mapOf(reference, name),
});

/** The same, with a version of each. */
const versionOf = ({ resourceSpec: spec, secrets, secretReferences }: Values, version: number) => ({
  sourceConfig: { resourceSpec: { ...asObject(spec), cpu: version } },
  secrets: { ...asObject(secrets), V: `value-${version}` },
  secretReferences: { ...asObject(secretReferences), V: { secretName: `v${version}`, secretKey: "k" } },
});

/** Paths of everything in a value; of a list those of the whole and of all items. */
function pathsIn(value: unknown, at: Path = []): Path[] {
  if (Array.isArray(value)) return [at, [...at, "*"]];
  const inside = Object.entries(asObject(value)).flatMap(([key, member]) => pathsIn(member, [...at, key]));
  return [at, ...inside];
}

it("what `ignoreChanges` covers is sent exactly as the service shows it, whatever the program and the state say", () => {
  const { context } = setUp({});
  const trees = fc.tuple(wholes, wholes, fc.nat(), fc.array(fc.boolean()));
  fc.assert(
    fc.property(trees, ([mine, theirs, chosen, wild]) => {
      const [before, declared, shown] = [versionOf(mine, 1), versionOf(mine, 2), versionOf(theirs, 3)];
      const paths = [declared, shown].flatMap((tree) => pathsIn(tree));
      const pattern = paths[chosen % paths.length]!.map((part, index) => (wild[index] ? "*" : part));
      const covered = (tree: object) =>
        coveredPaths(tree, [pattern])
          .map((path) => [formatPath(path), valueAt(tree, path)] as const)
          .filter(([path, value]) => !isNothing(value) && standard.defaults[path] !== value);
      const { patch } = patchAmongOthers(
        { ...context, ignoreChanges: [pattern] },
        plan({ arguments: before }, { arguments: declared }, standard).changes,
        { arguments: before, private: {} },
        declared as unknown as CheckedArguments,
        observed(shown),
      );
      expect(new Map(covered(patch))).toEqual(new Map(covered(shown)));
    }),
    runs(60),
  );
});
