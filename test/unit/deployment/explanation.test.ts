import { expect, it } from "vitest";
import { explanationText } from "../../../provider/deployment/explanation";
import { plan } from "../../../provider/deployment/plan";
import { langsmith } from "../../../provider/dialects/langsmith";
import { unknownValue } from "../../../schema/tree";

it("what follows an output of another deployment is never told as changed", () => {
  const secrets = { OLD: "1", KEY: unknownValue, SAME: unknownValue, NEW: unknownValue };
  const before = { secrets: { OLD: "1", KEY: "1", SAME: "1" } };
  const { changes: all } = plan({ arguments: before }, { arguments: { secrets } }, langsmith);
  const changes = all.map((change) =>
    change.path[1] === "KEY" ? { ...change, follows: "billing.url" } : change,
  );
  const sentence = explanationText(changes)!;
  expect(sentence).toContain(
    "(secrets: +NEW, secrets.KEY follows billing.url, which is not known yet, secrets.SAME: not known yet)",
  );
});
