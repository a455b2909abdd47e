import { expect, it } from "vitest";
import { explanationText } from "../../../provider/deployment/explanation";
import { plan } from "../../../provider/deployment/plan";
import { langsmith } from "../../../provider/dialects/langsmith";
import { unknownValue, type Values } from "../../../schema/tree";

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

const changesOf = (change: Values) =>
  plan({ arguments: first }, { arguments: { ...first, ...change } }, langsmith).changes;

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
  expect(explanationText(changesOf(change))).toContain(`(${text})`);
});

it("what follows an output of another deployment is never told as changed", () => {
  const secrets = { OLD: "1", KEY: unknownValue, SAME: unknownValue, NEW: unknownValue };
  const changes = changesOf({ secrets }).map((change) =>
    change.path[1] === "KEY" ? { ...change, follows: "billing.url" } : change,
  );
  const sentence = explanationText(changes)!;
  expect(sentence).toContain(
    "(secrets: +NEW, secrets.KEY follows billing.url, which is not known yet, secrets.SAME: not known yet)",
  );
});
