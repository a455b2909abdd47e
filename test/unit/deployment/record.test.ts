/** Whether what a service shows of a change is told as what it stored instead. */
import { expect, it } from "vitest";
import type { Rollout } from "../../../provider/deployment/private-state";
import { stateAfterStep, type Change } from "../../../provider/deployment/record";
import type { Observed } from "../../../provider/deployment/service";
import type { Waited } from "../../../provider/deployment/wait";
import { standard } from "../../../provider/dialects/standard";
import type { Values } from "../../../schema/tree";
import { address, declare, served, stateAfter } from "../../support/service";

const first = declare();
const image = { sourceRevisionConfig: { imageUri: "registry.example.com/chat:2" } };
const size = { sourceConfig: { resourceSpec: { cpu: 2 } } };
const normalized = { sourceRevisionConfig: { imageUri: "registry.example.com/chat@sha256:2" } };
const made = { latestRevisionId: "r2", activeRevisionId: "r1", ...normalized };
const done = { ...made, activeRevisionId: "r2" };
const others = { ...made, latestRevisionId: "r3", activeRevisionId: "r3" };
const { updatedAt } = stateAfter(first).observed;
const stale = { sourceConfig: { resourceSpec: { cpu: 1 } }, updatedAt };
const fresh = { sourceConfig: { resourceSpec: { cpu: 4 } }, updatedAt: "2031-01-01T00:00:00Z" };

it.each<[string, Values, Partial<Observed>, Waited["end"], Partial<Observed>, RegExp]>([
  ["a value of the active revision is", image, made, "active", done, /the service stored/],
  ["a value of a failed revision is not", image, made, "stopped", made, /^$/],
  ["someone else's value in a newer revision is not", image, {}, "active", others, /^$/],
  ["a stale response to a change of settings is not", size, stale, "active", stale, /^$/],
  ["a fresh one is", size, fresh, "active", fresh, /the service stored/],
])("%s told", (_, sent, response, end, last, tells) => {
  const declared = declare(sent, first);
  const rollout: Rollout | undefined = sent === image ? { revision: "r2", previous: ["r1"] } : undefined;
  const change: Change = {
    ...{ declared, sent, makesRevision: sent === image },
    ...{ response: served(declared, response), previous: ["r1"], updatedBefore: updatedAt },
  };
  const waited: Waited = { end, observed: served(declared, last), rollout };
  const before = stateAfter(first);
  const { state, warnings } = stateAfterStep(change, waited, before, { address, dialect: standard });
  expect(warnings.join()).toMatch(tells);
  expect(state.arguments).toEqual(declared.arguments);
});
