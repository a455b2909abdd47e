import fc from "fast-check";
import { expect, it } from "vitest";
import { explanationText, readExplanation, type Explained } from "../../../provider/deployment/explanation";
import { planChanges } from "../../../provider/deployment/plan";
import { langsmith } from "../../../provider/dialects/langsmith";
import { formatPath, unknownValue, type Values } from "../../../schema/tree";

const first: Values = {
  name: "chat",
  source: "external_container",
  sourceConfig: {
    deploymentTier: "SERVERLESS_S",
    resourceSpec: { labels: { team: "a", "app.io/name": "chat" } },
  },
  sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
  secrets: { OLD: "1", KEY: "1", SAME: "1" },
  secretReferences: { DB: { secretName: "db", secretKey: "url" } },
};

const explained = (change: Values) => explanationText(planChanges(first, { ...first, ...change }, langsmith));

it.each<[Values, string]>([
  [{ secrets: { KEY: "2", SAME: "1", NEW: "1" } }, "secrets: +NEW, -OLD, ~KEY"],
  [{ secrets: { OLD: "1", KEY: "1" } }, "secrets: -SAME"],
  [{ secretReferences: { DB: { secretName: "db", secretKey: "other" } } }, "secretReferences: ~DB"],
  [
    {
      sourceConfig: {
        ...(first["sourceConfig"] as Values),
        resourceSpec: { labels: { "app.io/name": "talk" } },
      },
    },
    "sourceConfig.resourceSpec.labels: -team, ~app.io/name",
  ],
])("names of a map are explained together, with what happens to each: %j", (change, text) => {
  expect(explained(change)).toContain(`(${text})`);
});

it("what is explained is read back: the paths, what happens in maps, and notes", () => {
  const name = fc.stringMatching(/^[A-Za-z][\w./-]{0,12}$/);
  const map = fc.dictionary(name, fc.constantFrom("1", "2"), { maxKeys: 4, noNullPrototype: true });
  const tier = fc.constantFrom("SERVERLESS_S", "SERVERLESS_M");
  const args = fc
    .record({
      secrets: map,
      labels: map,
      tier,
      image: fc.constantFrom("a:1", "a:2"),
      cpu: fc.constantFrom(1, 2),
    })
    .map(({ secrets, labels, tier, image, cpu }) => ({
      ...first,
      secrets,
      sourceConfig: { deploymentTier: tier, resourceSpec: { labels, cpu } },
      sourceRevisionConfig: { imageUri: image },
    }));
  fc.assert(
    fc.property(args, args, (before, after) => {
      const plan = planChanges(before, after, langsmith);
      const sentence = explanationText(plan);
      if (sentence === undefined) {
        expect(plan.effect).toBe("none");
        return;
      }
      const read = readExplanation(`chat (chat-prod): ${sentence}`)!;
      const wanted = (isReason: boolean) =>
        plan.changes
          .filter(({ effect }) => (effect === plan.effect) === isReason)
          .map(({ path, inMap, summary }): Explained => ({ path: formatPath(path), inMap, note: summary }));
      expect({ reasons: sorted(read.reasons), besides: sorted(read.besides) }).toEqual({
        reasons: sorted(wanted(true)),
        besides: sorted(wanted(false)),
      });
    }),
  );
});

it("what follows a wait is read back too", () => {
  const change = "sourceConfig.deploymentTier: SERVERLESS_S => SERVERLESS_M";
  const sentence = `resumes waiting for its last rollout, then creates a new revision (${change})`;
  expect(readExplanation(`chat: ${sentence}`)?.reasons).toEqual([
    { path: "sourceConfig.deploymentTier", note: "SERVERLESS_S => SERVERLESS_M" },
  ]);
});

it("what follows an output of another deployment is never told as changed, and read back", () => {
  const secrets = { OLD: "1", KEY: unknownValue, SAME: unknownValue, NEW: unknownValue };
  const plan = planChanges(first, { ...first, secrets }, langsmith);
  const changes = plan.changes.map((change) =>
    change.path[1] === "KEY" ? { ...change, follows: "billing.url" } : change,
  );
  const sentence = explanationText({ ...plan, changes })!;
  expect(sentence).toContain(
    "(secrets: +NEW, secrets.KEY follows billing.url, which is not known yet, secrets.SAME: not known yet)",
  );
  expect(readExplanation(`chat: ${sentence}`)?.reasons).toEqual([
    { path: "secrets.NEW", inMap: "added" },
    { path: "secrets.KEY", note: "follows billing.url, which is not known yet" },
    { path: "secrets.SAME", note: "not known yet" },
  ]);
});

const sorted = (all: readonly Explained[]) =>
  all.map(({ path, inMap, note }) => JSON.stringify([path, inMap, note])).sort();
