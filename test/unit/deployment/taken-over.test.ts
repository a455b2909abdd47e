/** A deployment that was adopted or imported, and an argument that the program declares only afterwards. */
import { describe, expect, it } from "vitest";
import { startOne, type OneDeployment } from "../../support/one-deployment";
import { least } from "../../support/langsmith";
import { isLong } from "../../support/runs";
import { rejectionOf } from "../../support/service";
import { type Values, withValueAt } from "../../../schema/tree";

let one: OneDeployment;

const container = least.external_container;
const repository = { ...least.codehost, sourceRevisionConfig: { repoRef: "main" } };
const template = {
  ...least.internal_template,
  ...{ sourceConfig: { deploymentType: "dev_zero" }, secrets: { MODE: "plain" } },
};

/** A deployment that another graph configuration gives a new revision, by dialect. */
const repeatable = [
  ["standard", container],
  ["langsmith", least.codehost],
] as const;
const withGraph = (args: Values) =>
  withValueAt(args, ["sourceRevisionConfig", "graphConfigPath"], "agents/graph.json");

/** Everything that makes a revision, by dialect, and a deployment that has not declared it yet. */
const later: readonly (readonly [dialect: string, path: string, args: Values, value: unknown])[] = [
  ["standard", "sourceRevisionConfig.graphConfigPath", repository, "agents/graph.json"],
  ["standard", "sourceRevisionConfig.repoRef", { ...repository, sourceRevisionConfig: {} }, "main"],
  [
    "standard",
    "sourceRevisionConfig.imageUri",
    { ...least.internal_container },
    "registry.example.com/chat:2",
  ],
  ["langsmith", "sourceConfig.buildCommand", least.codehost, "make"],
  ["langsmith", "sourceConfig.installCommand", least.codehost, "make install"],
  ["langsmith", "sourceConfig.resourceSpec.cpu", container, 2],
  ["langsmith", "sourceConfig.resourceSpec.labels", container, { team: "chat" }],
  ["langsmith", "sourceConfig.deploymentTier", template, "SERVERLESS_M"],
  ["langsmith", "secrets", least.codehost, { API_KEY: "s3cr3t-value" }],
  ["langsmith", "secretReferences", container, { DB_URL: { secretName: "db", secretKey: "url" } }],
];

const takenOver = {
  adopted: async (args: Values) => {
    one.kept = undefined;
    await one.up({ ...args, adopt: true });
  },
  imported: async () => void (await one.import("chat")),
  created: () => Promise.resolve(),
};

/** Each of them however it was taken over; a plain run takes the ways in turn. */
const cases = later.flatMap((each, row) =>
  (["adopted", "imported", "created"] as const)
    .filter((_, way) => isLong || way === row % 3)
    .map((how) => [how, ...each] as const),
);
/** Some looks long, so that what never ends is soon told. */
const soon = { timeout: 8_000 };
const isSettled = () => {
  const { latest_revision_id: latest, active_revision_id: active } = one.emulator.deployment("chat")!;
  return latest === active;
};

/** The deployment is taken over, and `declared` is what the program then declares for the first time. */
async function takeOver(
  how: keyof typeof takenOver,
  dialect: string,
  path: string,
  args: Values,
  value: unknown,
) {
  one = await startOne({ dialect: dialect as "standard" }, dialect);
  await one.up(args);
  await takenOver[how](args);
  return withValueAt({ ...args, ...(how === "adopted" && { adopt: true }) }, path.split("."), value);
}

describe("what a killed run created, and another takes over", () => {
  it.each([
    ["standard", container],
    ["langsmith", template],
  ] as const)(
    "never ends green while its first revision failed or is unfinished: %s",
    async (dialect, args) => {
      for (const ending of [{ polls: 0, fails: true }, "never"] as const) {
        for (const how of ["adopted", "imported"] as const) {
          one = await startOne({ dialect, rollout: ending }, dialect);
          await one.killed(args);
          if (how === "imported") await one.import("chat");
          await rejectionOf(one.up({ ...args, ...(how === "adopted" && { adopt: true }) }, soon));
        }
      }
    },
  );

  it.each(repeatable)(
    "is not green over the failed revision of a killed adoption, which is made again: %s",
    async (dialect, args) => {
      const next = { ...withGraph(args), adopt: true };
      one = await startOne({ dialect }, dialect);
      await one.up(args);
      one.kept = undefined;
      one.emulator.configure({ rollout: { polls: 0, fails: true } });
      await one.killed(next);
      await rejectionOf(one.up(next, soon));
      one.kept = undefined;
      one.emulator.configure({ rollout: { polls: 1 } });
      await one.up(next);
      expect(isSettled()).toBe(true);
      expect(one.preview(next).kind).toBe("nothing");
    },
  );
});

it.each(repeatable)(
  "an import says that the newest revision, whose values it takes, does not run, and the next preview is empty: %s",
  async (dialect, args) => {
    one = await startOne({ dialect }, dialect);
    await one.up(args);
    await one.import("chat");
    expect(one.warnings).toEqual([]);
    one.emulator.configure({ rollout: { polls: 0, fails: true } });
    await one.killed(withGraph(args));
    const shown = await one.import("chat");
    expect(one.warnings).toEqual([
      expect.stringMatching(
        /^its newest revision \S+ is not active.*; revision \S+ stays active\..*`triggers`/,
      ),
    ]);
    expect(one.preview(shown).kind).toBe("nothing");
  },
);

it("what an import found and the service cannot clear stays, and the first preview says so", async () => {
  one = await startOne({ dialect: "langsmith" }, "langsmith");
  await one.up({ ...template, displayName: "Chat" });
  const { displayName, sourceConfig, ...shown } = await one.import("chat");
  const { deploymentTier, ...config } = sourceConfig as Values;
  expect([displayName, deploymentTier]).toEqual(["Chat", expect.any(String)]);
  const next = { ...shown, sourceConfig: config };
  expect(one.preview(next)).toMatchObject({
    kind: "none",
    warnings: [
      expect.stringMatching(/^sourceConfig\.deploymentTier is no longer declared/),
      expect.stringMatching(/^displayName is no longer declared/),
    ],
    explanation: "changes nothing on the service (sourceConfig.deploymentTier, displayName)",
  });
  expect(await one.up(next)).toEqual([]);
  expect(one.preview(next)).toMatchObject({ kind: "nothing", warnings: [] });
});

it("what a program declared after taking over, and the service cannot clear, is told when it is removed", async () => {
  one = await startOne({ dialect: "langsmith" }, "langsmith");
  await one.up(template);
  one.kept = undefined;
  const adopting = { ...template, adopt: true };
  await one.up(adopting);
  await one.up({ ...adopting, displayName: "Chat" });
  expect(one.preview(adopting).warnings).toEqual([
    expect.stringMatching(/^displayName is no longer declared/),
  ]);
});

it("a secret that was adopted as declared, and that someone changes then, and again, is drift each time", async () => {
  one = await startOne({}, "standard");
  const args = { ...container, secrets: { API_KEY: "first-value" } };
  await one.up(args);
  one.kept = undefined;
  const adopting = { ...args, adopt: true };
  await one.up(adopting);
  for (const value of ["other", "third"]) {
    one.emulator.change("chat", (record) => record.secrets.forEach((each) => Object.assign(each, { value })));
    expect(await one.refresh()).toBe(true);
  }
  expect(one.preview(adopting).explanation).toContain("secrets: ~API_KEY");
});

describe("an `up` with `skipAwait` whose revision fails", () => {
  it.each([
    ["standard", container],
    ["langsmith", template],
  ] as const)("is followed by ones that are green only without waiting: %s", async (dialect, args) => {
    one = await startOne({ dialect }, dialect);
    await one.up(args);
    one.emulator.configure({ rollout: { polls: 0, fails: true } });
    const next = { ...args, secrets: { MODE: "other" }, triggers: { at: 1 } };
    const skipping = { ...next, skipAwait: true };
    await one.up(skipping);
    expect(one.preview(skipping).kind).toBe("nothing");
    await one.refresh();
    expect(one.preview(skipping).kind).toBe("nothing");
    expect(one.preview(next).explanation).toMatch(/^resumes waiting|^its last revision failed/);
    await rejectionOf(one.up(next, { timeout: 60_000 }));
    expect(one.writes).toEqual([]);
  });

  it("is forgotten by a refresh that sees the revision active", async () => {
    one = await startOne({ rollout: { polls: 2 } });
    await one.up({ ...container, skipAwait: true });
    expect(one.memory["rollout"]).toBeDefined();
    one.emulator.finish("chat");
    expect(await one.refresh()).toBe(false);
    expect(one.memory["rollout"]).toBeUndefined();
    expect(one.preview({ ...container, skipAwait: true }).explanation).toBeUndefined();
  });
});

describe("what makes a revision, and is declared only after the deployment was taken over", () => {
  it.each(cases)(
    "never ends green after a kill while its revision failed or is unfinished: %s, %s, %s",
    async (how, dialect, path, args, value) => {
      for (const ending of ["fails", "never"] as const) {
        const declared = await takeOver(how, dialect, path, args, value);
        one.emulator.configure({ rollout: ending === "never" ? "never" : { polls: 0, fails: true } });
        await one.killed(declared);
        await one.refresh();
        // Nothing of it becomes active, whatever is sent: no `up` may say that it is done.
        await rejectionOf(one.up(declared, soon));
        one.emulator.finish("chat");
        one.emulator.configure({ rollout: { polls: 1 } });
        await one.up({ ...declared, triggers: { again: 1 } });
        expect(isSettled()).toBe(true);
        expect(one.preview({ ...declared, triggers: { again: 1 } }).kind).toBe("nothing");
      }
    },
  );
});
