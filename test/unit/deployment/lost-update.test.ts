/** An update that was killed after the service had done it, and that is repeated: nothing is done twice, and nothing is left out. */
import { beforeEach, describe, expect, it } from "vitest";
import { startOne, type OneDeployment } from "../../support/one-deployment";
import { least } from "../../support/langsmith";
import { declare, rejectionOf, served, stateAfter, updating } from "../../support/service";
import type { DeploymentRecord, ShownSecrets } from "../../../emulator";
import { parsePropertyPaths } from "../../../schema/property-path";
import type { Values } from "../../../schema/tree";

let one: OneDeployment;
const at = async (dialect: "standard" | "langsmith") => {
  one = await startOne({ dialect }, dialect);
};
const revisions = () => one.emulator.deployment("chat")!.revisions.length;
const told = () => one.said.join("\n");
const image = (tag: number, more: Values = {}): Values => ({
  ...{ ...least.external_container, name: "chat" },
  sourceRevisionConfig: { imageUri: `registry.example.com/chat:${tag}` },
  ...more,
});
const byHand = (change: (record: DeploymentRecord) => void) => void one.emulator.change("chat", change);
const resize = (cpu: number) =>
  byHand(({ source_config }) => void Object.assign(source_config["resource_spec"]!, { cpu }));

describe.each(["standard", "langsmith"] as const)("a killed update, repeated (%s)", (dialect) => {
  beforeEach(() => at(dialect));

  it("makes no second revision of the same content, which is told, waited for and counted", async () => {
    await one.up(image(1));
    one.emulator.configure({ rollout: "never" });
    await one.killed(image(2));
    await rejectionOf(one.up(image(2), { timeout: 8_000 }));
    one.emulator.finish("chat");
    await one.up(image(2));
    expect(one.writes).toEqual([]);
    expect([revisions(), one.kept!.outputs["generation"]]).toEqual([2, 2]);
    expect(told()).toMatch(
      /revision \S+, created since this stack's last operation .* as declared: no other revision/,
    );
    expect(one.preview(image(2)).kind).toBe("nothing");
  });

  it("makes a revision for `triggers`, always", async () => {
    await one.up(image(1));
    await one.killed(image(2, { triggers: 1 }));
    await one.up(image(2, { triggers: 1 }));
    expect(revisions()).toBe(3);
  });

  it("makes a revision if that of the killed run does not run exactly what is declared", async () => {
    await one.up(image(1));
    await one.killed(image(2));
    const config = { sourceConfig: { resourceSpec: { cpu: 2 } } };
    await one.up(image(3, config));
    expect(revisions()).toBe(3);
    await one.killed(image(4, config));
    resize(7);
    await one.up(image(4, config));
    expect(revisions()).toBe(5);
  });

  it("makes no second revision beside a value that `ignoreChanges` leaves to others", async () => {
    const config = { sourceConfig: { resourceSpec: { cpu: 2, maxScale: 3 } } };
    const more = { ignoreChanges: parsePropertyPaths(["sourceConfig.resourceSpec.cpu"]) };
    await one.up(image(1, config));
    resize(7);
    await one.killed(image(2, config), more);
    expect(await one.up(image(2, config), more)).toEqual([]);
    expect(revisions()).toBe(2);
  });

  it("sends no settings that the service has already", async () => {
    const named = (buildOnPush: boolean) => ({
      ...{ ...least.codehost, name: "chat" },
      sourceConfig: { ...(least.codehost.sourceConfig as Values), buildOnPush },
    });
    await one.up(named(false));
    await one.killed(named(true));
    expect(await one.up(named(true))).toEqual([]);
    expect(told()).toContain("the service has sourceConfig.buildOnPush as declared already: nothing is sent");
    expect(await one.refresh()).toBe(false);
    expect(one.preview(named(true)).kind).toBe("nothing");
  });
});

it("a revision that the service is known to have failed is made again", async () => {
  await at("langsmith");
  await one.up(image(1));
  one.emulator.configure({ rollout: { polls: 0, fails: true } });
  await one.killed(image(2));
  one.emulator.configure({ rollout: { polls: 1 } });
  await one.up(image(2));
  expect(revisions()).toBe(3);
});

it("a revision of the stack's own, whose values someone takes back, is made again as announced", async () => {
  await at("standard");
  await one.up(image(1));
  await one.up(image(2));
  const { latest_revision_id: latest } = one.emulator.deployment("chat")!;
  byHand(
    ({ source_revision_config }) => (source_revision_config["image_uri"] = "registry.example.com/chat:1"),
  );
  expect(one.emulator.deployment("chat")!.latest_revision_id).toBe(latest);
  await one.up(image(1));
  expect(revisions()).toBe(3);
});

const withSpec = (resourceSpec: Values) => ({ sourceConfig: { resourceSpec } });
it.each([
  [{ secrets: { KEY: "a", OLD: "b" } }, { secrets: { KEY: "a" } }],
  [{ secrets: { KEY: "a" } }, { secrets: { KEY: "b", NEW: "c" } }],
  [withSpec({ labels: { a: "1", b: "2" } }), withSpec({ labels: { a: "1" } })],
  [withSpec({ sidecars: [{ name: "log", image: "log:1" }] }), withSpec({ sidecars: [{ name: "log" }] })],
])(
  "what an update changes from %j to %j is sent once, unless the service hides it",
  async (before, after) => {
    for (const secrets of ["clear", "masked"] as const) {
      await at("standard");
      one.emulator.configure({ secrets });
      await one.up(image(1, before));
      await one.killed(image(1, after));
      const writes = await one.up(image(1, after));
      const isHidden = secrets === "masked" && "secrets" in after && "NEW" in after.secrets!;
      expect(writes).toHaveLength(isHidden ? 1 : 0);
      const settled = await startOne();
      await settled.up(image(1, before));
      expect(await settled.up(image(1, after))).toHaveLength(1);
    }
  },
);

it.each<ShownSecrets>(["clear", "masked", "null", "omitted", "word", "tail", "chance"])(
  "a secret that the program removes is removed although the service shows secrets as %s",
  async (secrets) => {
    await at("standard");
    one.emulator.configure({ secrets });
    await one.up(image(1, { secrets: { KEY: "value-a-1", OLD: "value-b-1" } }));
    await one.up(image(1, { secrets: { KEY: "value-a-1" } }));
    expect(one.emulator.deployment("chat")!.secrets).toEqual([{ name: "KEY", value: "value-a-1" }]);
    expect(await one.refresh()).toBe(false);
  },
);

describe("what someone declared by hand before the program did", () => {
  const sized = (cpu: number, more: Values = {}) =>
    image(1, { sourceConfig: { resourceSpec: { cpu, maxScale: 3 } }, ...more });
  const secret = (name: string, value: string) => ({ name, value });
  const reference = (secretName: string) => ({ secretName, secretKey: "key" });
  const onTheWire = (name: string, secret_name: string) => ({ name, secret_name, secret_key: "key" });
  beforeEach(() => at("standard"));

  it.each<[string, Values, Values, Values]>([
    ["resources", sized(2), { source_config: { resource_spec: { cpu: 3, max_scale: 9 } } }, sized(3)],
    [
      "secrets",
      image(1, { secrets: { A: "value-a" } }),
      { secrets: [secret("A", "by-hand"), secret("B", "value-b")] },
      image(1, { secrets: { A: "value-a", B: "value-b" } }),
    ],
    [
      "references to secrets",
      image(1, { secretReferences: { A: reference("a") } }),
      { secret_references: [onTheWire("A", "other"), onTheWire("B", "b")] },
      image(1, { secretReferences: { A: reference("a"), B: reference("b") } }),
    ],
  ])("is not sent, and what differs beside it is still drift: %s", async (_, before, change, after) => {
    await one.up(before);
    byHand((record) => void Object.assign(record, change));
    expect(await one.up(after)).toEqual([]);
    expect(one.warnings).toEqual([]);
    expect(await one.refresh()).toBe(true);
    await one.up(after);
    expect(await one.refresh()).toBe(false);
  });

  it("is drift once it is taken back, also if the rest of the change was sent", async () => {
    await one.up(sized(2, { secrets: { A: "value-a" } }));
    resize(3);
    expect(await one.up(sized(3, { secrets: { A: "value-b" } }))).toMatchObject([
      { body: { secrets: [{ name: "A", value: "value-b" }] } },
    ]);
    resize(2);
    expect(await one.refresh()).toBe(true);
  });
});

it("a response older than the state is not taken for what was declared", async () => {
  const before = declare();
  const next = declare({ sourceConfig: { resourceSpec: { cpu: 2 } } }, before);
  for (const [updatedAt, writes] of [
    ["2029-01-01T00:00:00Z", 1],
    ["2031-01-01T00:00:00Z", 0],
  ] as const) {
    const scripts = {
      read: [served(next, { updatedAt })],
      update: [served(next, { updatedAt: "2031-01-01T00:00:01Z" })],
    };
    const { work, service } = updating(scripts, next, stateAfter(before));
    await work;
    expect(service.count("update")).toBe(writes);
  }
});
