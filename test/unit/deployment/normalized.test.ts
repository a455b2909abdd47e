import { beforeEach, describe, expect, it } from "vitest";
import { optionsKey } from "../../../provider/stored/internal-inputs";
import type { Values } from "../../../schema/tree";
import type { DeploymentRecord, Normalization, ShownSecrets } from "../../../emulator";
import { startOne, type OneDeployment } from "../../support/one-deployment";

let one: OneDeployment;
beforeEach(async () => {
  one = await startOne({ secrets: "clear" });
});

const image = "registry.example.com/chat:1";
const declare = (resourceSpec: Values, more: Values = {}): Values => ({
  name: "chat",
  source: "external_container",
  sourceConfig: { resourceSpec },
  sourceRevisionConfig: { imageUri: image },
  ...more,
});
const normalizing = (...normalizations: Normalization[]) => one.emulator.configure({ normalizations });
const spec = (record: DeploymentRecord) => record.source_config["resource_spec"] as Record<string, unknown>;
const byHand = (change: (record: DeploymentRecord) => void) => void one.emulator.change("chat", change);

/** Nothing drifts, nothing is shown and nothing is sent, however often it is asked for. */
async function expectClean(args: Values): Promise<void> {
  for (let round = 0; round < 2; round++) {
    expect(await one.refresh()).toBe(false);
    expect(one.preview(args)).toMatchObject({ kind: "nothing", warnings: [] });
    expect(await one.up(args)).toEqual([]);
  }
}

describe("what a service makes of what it is sent", () => {
  it.each<[Normalization, Values, string[]]>([
    [
      "rounds",
      { cpu: 0.55, maxScale: 20, memoryMb: 500 },
      ["cpu as 0.6 instead of 0.55", "maxScale as 10 instead of 20", "memoryMb as 512 instead of 500"],
    ],
    // What the service adds to a list is its own.
    ["injects", { cpu: 1, sidecars: [{ name: "log" }] }, []],
    [
      "drops",
      { volumes: [{ name: "scratch", emptyDir: {} }] },
      ["volumes[0].emptyDir as nothing instead of {}"],
    ],
  ])("is reported once if it %s, and is no drift (C27)", async (kind, resourceSpec, stored) => {
    normalizing(kind);
    const args = declare(resourceSpec);
    await one.up(args);
    const told = stored.map((each) => `the service stored sourceConfig.resourceSpec.${each}`);
    expect([...one.warnings].sort()).toEqual(told);
    await expectClean(args);
    await one.up(declare({ ...resourceSpec, minScale: 2 }));
    await expectClean(declare({ ...resourceSpec, minScale: 2 }));
    expect(one.warnings).toHaveLength(told.length);
  });

  it("is remembered for a number that is rounded to the value that it had before (C27)", async () => {
    normalizing("rounds");
    await one.up(declare({ cpu: 0.6 }));
    expect(await one.up(declare({ cpu: 0.58 }))).toHaveLength(1);
    expect(one.warnings).toHaveLength(1);
    await expectClean(declare({ cpu: 0.58 }));
  });

  it.each([2, 3])("settles although the service lags by %i responses after each `up`", async (lag) => {
    await one.up(declare({}));
    normalizing("spells");
    const args = { ...declare({}), sourceConfig: { customUrl: "https://Chat.example.com/" } };
    one.emulator.configure({ lag });
    for (let round = 0; round < 3; round++) {
      await one.up(args);
      for (let reads = 0; reads < lag; reads++) await one.refresh();
    }
    expect(one.warnings.at(-1)).toBe(
      'the service stored sourceConfig.customUrl as "https://chat.example.com" instead of "https://Chat.example.com/"',
    );
    await expectClean(args);
    byHand(({ source_config }) => (source_config["custom_url"] = "https://theirs.example.com"));
    expect(await one.refresh()).toBe(true);
  });

  it("is told without its value if the program passed that as a secret", async () => {
    normalizing("spells");
    const sourceConfig = { customUrl: "https://Chat.example.com/" };
    await one.up({ ...declare({}), sourceConfig, [optionsKey]: { secretPaths: [["sourceConfig"]] } });
    expect(one.warnings).toEqual(["the service changed the value that was sent for sourceConfig.customUrl"]);
    expect(await one.refresh()).toBe(false);
    byHand(({ source_config }) => (source_config["custom_url"] = "https://theirs.example.com"));
    expect(await one.refresh()).toBe(true);
  });
});

describe("what the response to a write showed as it was sent", () => {
  /** Someone's change at the first poll of the rollout, which an update reads before. */
  const changedDuring = async (args: Values, change: (record: DeploymentRecord) => void) => {
    one.emulator.configure({ rollout: { polls: 2 } });
    let polls = 0;
    const query = () => {
      if (++polls === (one.kept === undefined ? 1 : 2)) byHand(change);
      return false;
    };
    const watched = one.emulator.fail({ when: { method: "GET", query }, how: { status: 500 } });
    await one.up(args);
    watched.cancel();
    expect(polls).toBeGreaterThan(0);
  };

  it.each<[string, Values]>([
    ["a creation", {}],
    ["an update", { sourceRevisionConfig: { imageUri: "registry.example.com/chat:0" } }],
  ])("cannot be normalized later: someone's change during the rollout of %s is drift", async (_, before) => {
    if (Object.keys(before).length > 0) await one.up(declare({ cpu: 1, maxScale: 2 }, before));
    const args = declare({ cpu: 1, maxScale: 3 }, { secrets: { API_KEY: "sk-own-key-1111" } });
    await changedDuring(args, (record) => {
      spec(record)["max_scale"] = 9;
      record.secrets[0]!.value = "sk-by-hand-2222";
    });
    expect(one.warnings).toEqual([]);
    expect(await one.refresh()).toBe(true);
    expect(one.kept?.inputs).toMatchObject({
      sourceConfig: { resourceSpec: { maxScale: 9 } },
      secrets: { API_KEY: "sk-by-hand-2222" },
    });
    await one.up(args);
    await expectClean(args);
  });

  it("is drift too if it was normalized and someone changed it afterwards", async () => {
    normalizing("rounds");
    const args = declare({ cpu: 0.55 });
    await changedDuring(args, (record) => (spec(record)["cpu"] = 2));
    expect(await one.refresh()).toBe(true);
    await one.up(args);
    await expectClean(args);
  });
});

describe("what a service shows for a secret", () => {
  const secretive = (value: string) => declare({ cpu: 1 }, { secrets: { API_KEY: value } });
  const first = secretive("sk-first-key-1111");

  it.each<ShownSecrets>(["clear", "masked", "null", "omitted", "word", "tail", "chance"])(
    "is no drift after our own write, whatever it looks like (%s) (E28)",
    async (secrets) => {
      one.emulator.configure({ secrets });
      await one.up(first);
      await expectClean(first);
      const second = secretive("sk-second-key-2222");
      await one.up(second);
      await expectClean(second);
      expect(one.warnings).toEqual([]);
    },
  );

  it.each<ShownSecrets>(["word", "tail", "chance"])(
    "is not compared if it is something else: %s",
    async (secrets) => {
      one.emulator.configure({ secrets });
      await one.up(first);
      byHand((record) => (record.secrets[0]!.value = "sk-by-hand-3333"));
      expect(await one.refresh()).toBe(false);
    },
  );
});

it("a secret that was hidden once is not compared until it is sent again", async () => {
  one.emulator.configure({ secrets: "word" });
  const args = declare({}, { secrets: { API_KEY: "s3cr3t-value" } });
  await one.up(args);
  for (const secrets of ["clear", "word", "clear", "chance"] as const) {
    one.emulator.configure({ secrets });
    expect(await one.refresh()).toBe(false);
  }
});

it("a secret that was masked once is compared as before", async () => {
  const args = declare({}, { secrets: { API_KEY: "s3cr3t-value" } });
  await one.up(args);
  for (const secrets of ["masked", "clear"] as const) {
    one.emulator.configure({ secrets });
    expect(await one.refresh()).toBe(false);
  }
  byHand((record) => (record.secrets[0]!.value = "by-hand"));
  expect(await one.refresh()).toBe(true);
});

it("a list that lags behind an update tells of no drift and no normalization, until it shows the update", async () => {
  await one.up(declare({ cpu: 1 }));
  const update = declare({ cpu: 2 }, { secrets: { KEY: "value-1" } });
  one.emulator.configure({ lag: 3 });
  await one.up(update);
  one.warnings = [];
  expect(await one.refresh()).toBe(false);
  expect([one.warnings, one.preview(update).kind]).toEqual([[], "nothing"]);
  one.emulator.configure({ lag: 0 });
  await expectClean(update);
  byHand((record) => void (spec(record)["cpu"] = 4));
  expect(await one.refresh()).toBe(true);
});
