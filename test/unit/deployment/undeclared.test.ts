import { beforeEach, expect, it } from "vitest";
import { bulkFile } from "../../../cli/import/bulk-file";
import { chooseImports } from "../../../cli/import/choice";
import { isObject, valueAt, withValueAt, type Values } from "../../../schema/tree";
import { langsmith } from "../../../provider/dialects/langsmith";
import { standard as dialect } from "../../../provider/dialects/standard";
import { update } from "../../../provider/deployment/update";
import { standard, type JsonObject, type Rules } from "../../../emulator";
import { canary, expectNoTrace } from "../../support/canary";
import { startOne, type OneDeployment } from "../../support/one-deployment";
import { declared as declareAt, least, stateWith } from "../../support/langsmith";
import { failed, setUp } from "../../support/service";

/** A service that has learnt more: a class of its own, and what a container does before it stops. */
function newer(rules: Rules): Rules {
  const learn = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(learn);
    if (!isObject(value)) return value;
    const all = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, learn(member)]));
    const more = {
      ...("min_scale" in all && "sidecars" in all && { priority_class: { kind: "string" } }),
      ...("imagePullPolicy" in all && { lifecycle: { kind: "free" } }),
    };
    return { ...all, ...more };
  };
  return { ...rules, requests: learn(rules.requests) as Rules["requests"] };
}

let one: OneDeployment;
let file: string;
beforeEach(async () => {
  one = await startOne({ rules: newer(standard) });
});

const lifecycle = { preStop: { exec: {} } };
const ownSidecars = [{ name: "log", image: "log:1" }];
const sidecars = [{ ...ownSidecars[0], lifecycle }];
const found = {
  min_scale: 2,
  max_scale: 3,
  cpu: 1.5,
  memory_mb: 512,
  priority_class: "high",
  labels: { team: "a", tier: null },
  sidecars,
};
const exists = (resource_spec: JsonObject, more: JsonObject = {}) =>
  one.emulator.create({
    name: "chat",
    source: "external_container",
    source_config: { resource_spec },
    source_revision_config: { image_uri: "registry.example.com/chat:1" },
    secrets: [],
    ...more,
  });

/** As `npx pulumi-deployment-service import` and `pulumi import --file` leave it, and the first preview reads it. */
async function imported(): Promise<Values> {
  const plan = chooseImports(await one.list(), dialect);
  const { id, outputs } = bulkFile(plan.imported, dialect).resources[0]!;
  const { args } = plan.imported[0]!;
  one.kept = { id, inputs: { ...args, generation: 1 }, outputs: outputs as Values & { __private: string } };
  file = JSON.stringify(one.kept);
  expect(await one.refresh()).toBe(false);
  return args;
}

const sized = (args: Values, path: string, value: unknown) =>
  withValueAt(args, ["sourceConfig", "resourceSpec", path], value);
const sent = (resource_spec: Values) => [{ method: "PATCH", body: { source_config: { resource_spec } } }];

const adopting = (more: Values = {}): Values => ({
  name: "chat",
  source: "external_container",
  sourceConfig: { resourceSpec: { cpu: 2 } },
  sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
  adopt: true,
  ...more,
});

it("a part of an adopted deployment that the program does not declare may be a reference to a secret of the cluster", async () => {
  const own = { name: "B", secret_name: "b", secret_key: "k" };
  exists({ cpu: 2 }, { secret_references: [own] });
  const secretReferences = { A: { secretName: "a", secretKey: "k" } };
  const [patch] = await one.up(adopting({ secretReferences }));
  const a = { name: "A", secret_name: "a", secret_key: "k" };
  expect(patch?.body).toEqual({ secret_references: [a, own] });
  const next = { A: { secretName: "a2", secretKey: "k" } };
  const [second] = await one.up(adopting({ secretReferences: next }));
  expect(second?.body).toEqual({ secret_references: [{ ...a, secret_name: "a2" }, own] });
});

it("a resource specification is not sent to the public service if the current one cannot be read (C05)", async () => {
  const declared = (cpu: number) =>
    declareAt({ ...least.external_container, sourceConfig: { resourceSpec: { cpu } } });
  const broken = failed("unreachable");
  const { context, service } = setUp({ read: [broken] }, { dialect: langsmith });
  await expect(update(context, "d1", stateWith(declared(2)), declared(3))).rejects.toBe(broken);
  expect(service.methods).toEqual(["read"]);
});

it("containers that others added to a list need no second revision when a killed run is repeated", async () => {
  const theirs = [
    { name: "mesh", image: "mesh:1" },
    { name: "scan", image: "scan:1" },
  ];
  const program = (image: string) => ({
    ...{ ...least.external_container, name: "chat" },
    sourceConfig: { resourceSpec: { cpu: 1, sidecars: [{ name: "log", image }] } },
  });
  await one.up(program("log:1"));
  one.emulator.change("chat", ({ source_config }) => {
    ((source_config["resource_spec"] as JsonObject)["sidecars"] as JsonObject[]).push(...theirs);
  });
  await one.killed(program("log:2"));
  const { length } = one.emulator.deployment("chat")!.revisions;
  expect(await one.up(program("log:2"))).toEqual([]);
  const { revisions, source_config } = one.emulator.deployment("chat")!;
  expect(revisions).toHaveLength(length);
  const sidecars = [{ name: "log", image: "log:2" }, ...theirs];
  expect(source_config["resource_spec"]).toMatchObject({ sidecars });
});

it("an object that the program removes is removed as a whole if others have nothing in it", async () => {
  await one.up({ ...adopting(), adopt: false });
  const [patch] = await one.up({ ...adopting({ sourceConfig: undefined }), adopt: false });
  expect(patch?.body).toEqual({ source_config: { resource_spec: null } });
});

it("what the program removes from an item of a list is removed", async () => {
  exists(found);
  const args = sized(await imported(), "sidecars", ownSidecars);
  await one.up(args);
  expect(await one.up(sized(args, "sidecars", [{ name: "log" }]))).toEqual(
    sent({ ...found, sidecars: [{ name: "log", lifecycle }] }),
  );
});

const [value, token] = [canary("credential"), canary("token")];
const hidden = {
  value,
  token,
  url: "chat-never-shown",
  pair: "db-never-shown",
  option: "password-never-shown",
};
const withSecrets = {
  team: "a",
  "example.com/0": `postgres://chat:${hidden.url}@db/x`,
  "example.com/1": `chat:${hidden.pair}@db`,
  "example.com/2": `Server=db;Password=${hidden.option}`,
};

it.each<[field: string, open: JsonObject[string], shown: unknown]>([
  [
    "sidecars",
    [
      { ...ownSidecars[0], args: [`--sink=${token}`], env: [{ name: "LOG_API_KEY", value }] },
      { name: token },
    ],
    undefined,
  ],
  ["labels", withSecrets, { team: "a" }],
  ["annotations", withSecrets, { team: "a" }],
])(
  "no credential in the %s of an imported deployment is in a file, and each update carries all of them along",
  async (field, open, shown) => {
    exists({ ...found, [field]: open });
    const args = await imported();
    expectNoTrace(JSON.stringify(args) + file, hidden);
    expect(valueAt(args, ["sourceConfig", "resourceSpec", field])).toEqual(shown);
    expect(one.preview(args).kind).toBe("nothing");
    expect(await one.up(sized(args, "cpu", 2))).toEqual(sent({ ...found, cpu: 2, [field]: open }));
    expect(await one.refresh()).toBe(false);
    expectNoTrace(one.open, hidden);
  },
);

it("a secret that others add to a deployment that the stack created is no change, and stays", async () => {
  const declaring = (value: string): Values => ({
    ...adopting({ secrets: { API_KEY: value } }),
    adopt: false,
  });
  await one.up(declaring("a"));
  const added = { name: "ADDED", value: "by hand" };
  one.emulator.change("chat", ({ secrets }) => void secrets.push(added));
  expect(await one.up(declaring("a"))).toEqual([]);
  const patch = (...secrets: Values[]) => [{ method: "PATCH", body: { secrets } }];
  expect(await one.up(declaring("b"))).toEqual(patch(added, { name: "API_KEY", value: "b" }));
  await one.refresh();
  expect(one.preview(declaring("b")).kind).toBe("nothing");
  expect(one.preview(declaring("c")).explanation).toContain("(secrets: ~API_KEY)");
  expect(await one.up({ ...declaring("c"), secrets: {} })).toEqual(patch(added));
});

it.each(["masked", "null", "clear"] as const)(
  "a change of one secret is refused by `up` exactly if the preview says so, on a service that shows others as %s",
  async (shown) => {
    one.emulator.configure({ secrets: shown });
    exists(found, { secrets: [{ name: "OTHERS", value: canary("others") }] });
    const declared = { ...least.external_container, name: "chat", adopt: true };
    await one.up(declared);
    await one.refresh();
    const next = { ...declared, secrets: { OWN: "1" } };
    const { warnings } = one.preview(next);
    const says = warnings.some((each) => each.includes("hides the values of OTHERS"));
    expect(says).toBe(shown !== "clear");
    const failure = await one.up(next).catch((error: unknown) => String(error));
    expect(typeof failure === "string").toBe(says);
    expect(one.writes).toHaveLength(says ? 0 : 1);
  },
);

it("a word that the service shows in place of every secret is never sent as the value of one that others added", async () => {
  one.emulator.configure({ secrets: "word" });
  const declaring = (OWN: string) => ({ ...least.external_container, secrets: { OWN } });
  await one.up(declaring("own-1"));
  const others = { name: "OTHERS", value: canary("others") };
  one.emulator.change("chat", ({ secrets }) => void secrets.push(others));
  await expect(one.up(declaring("own-2"))).rejects.toThrow("hides the values of OTHERS");
  await one.refresh();
  expect(one.preview(declaring("own-2")).warnings.join()).toContain("hides the values of OTHERS");
  await expect(one.up(declaring("own-2"))).rejects.toThrow("Nothing was sent");
  expect(one.emulator.deployment("chat")!.secrets).toContainEqual(others);
});
