/** What an `up` does: the steps that follow from a state and what is declared, and what the preview says of them. */
import { describe, expect, it } from "vitest";
import { diff } from "../../../provider/deployment/diff";
import type { Rollout } from "../../../provider/deployment/private-state";
import type { Observed } from "../../../provider/deployment/service";
import { effectOf, plan } from "../../../provider/deployment/plan";
import { langsmith } from "../../../provider/dialects/langsmith";
import { formatPath, type Values } from "../../../schema/tree";
import { declared, least, stateWith } from "../../support/langsmith";

const rollout: Rollout = { revision: "r1", previous: [] };
const tier = (deploymentTier: string) => ({ sourceConfig: { deploymentType: "dev_zero", deploymentTier } });
const secret = { secrets: { A: "1" } };

interface Row {
  readonly state: "active" | "waiting" | "failed" | "unwatched, none active";
  readonly declares: Values;
  /** `wait`, or what is sent; what follows a `then` needs an active revision. */
  readonly steps: readonly string[];
  readonly says: RegExp | undefined;
}

const states: Record<Row["state"], { shown: Partial<Observed>; rollout?: Rollout }> = {
  active: { shown: {} },
  waiting: { shown: { activeRevisionId: null, latestRevisionStatus: "BUILDING" }, rollout },
  failed: { shown: { activeRevisionId: null, latestRevisionStatus: "BUILD_FAILED" }, rollout },
  "unwatched, none active": { shown: { activeRevisionId: null } },
};

const size = "sourceConfig.deploymentTier";
const table: readonly Row[] = [
  { state: "active", declares: {}, steps: [], says: undefined },
  { state: "active", declares: secret, steps: ["revision: secrets.A"], says: /^creates a new revision/ },
  {
    state: "active",
    declares: tier("SERVERLESS_M"),
    steps: [`revision: ${size}`],
    says: /^creates a new rev/,
  },
  { state: "active", declares: { skipAwait: true }, steps: [], says: /^changes nothing .* \(skipAwait\)$/ },
  { state: "waiting", declares: {}, steps: ["wait"], says: /^resumes waiting .*, no new revision$/ },
  { state: "waiting", declares: { skipAwait: true }, steps: [], says: /^changes nothing .* \(skipAwait\)$/ },
  { state: "waiting", declares: secret, steps: ["revision: secrets.A"], says: /^creates a new revision/ },
  {
    state: "waiting",
    declares: tier("SERVERLESS_M"),
    steps: ["wait", `then revision: ${size}`],
    says: /^resumes waiting for its last rollout, then creates a new revision \(sourceConfig\.deploymentTier\)$/,
  },
  {
    state: "waiting",
    declares: { ...tier("SERVERLESS_M"), ...secret },
    steps: ["revision: secrets.A", `then revision: ${size}`],
    says: /^creates a new revision \(.*deploymentTier.*secrets: \+A\); sourceConfig.deploymentTier is sent only once a rev/,
  },
  {
    state: "waiting",
    declares: { ...tier("SERVERLESS_M"), skipAwait: true },
    steps: ["wait", `then revision: ${size}`],
    says: /^creates a new revision .*; sourceConfig.deploymentTier is sent only once a revision is active$/,
  },
  {
    state: "failed",
    declares: {},
    steps: ["wait"],
    says: /^its last revision failed \(BUILD_FAILED\): `up` fails again/,
  },
  {
    state: "failed",
    declares: { displayName: "Chat" },
    steps: ["wait", "then settings: displayName"],
    says: /^its last revision failed .*\(displayName is sent only once a revision is active\)/,
  },
  {
    state: "unwatched, none active",
    declares: { displayName: "Chat" },
    steps: ["wait", "then settings: displayName"],
    says: /^updates settings, no new revision \(displayName\); displayName is sent only once a revision is active$/,
  },
];

describe("an `up`", () => {
  it.each(table)("of a deployment that is $state, declaring $declares: $steps (C25)", (row) => {
    const before = { ...least.internal_template, sourceConfig: { deploymentType: "dev_zero" } };
    const { shown, rollout } = states[row.state];
    const had = declared(before);
    const state = stateWith(had, shown);
    const known = { ...state, private: { ...state.private, rollout } };
    const next = declared({ ...before, ...row.declares }, had);
    const { now, later, resumes } = plan(known, next, langsmith);
    const sends = (step: typeof now) =>
      step.length === 0 ? [] : [`${effectOf(step)}: ${step.map(({ path }) => formatPath(path)).join(", ")}`];
    const waits = now.length === 0 && (resumes || later.length > 0);
    const texts = [...sends(now), ...(waits ? ["wait"] : []), ...sends(later).map((text) => `then ${text}`)];
    expect(texts).toEqual(row.steps);
    const { explanation } = diff(known, next, langsmith);
    if (row.says === undefined) expect(explanation).toBeUndefined();
    else expect(explanation).toMatch(row.says);
  });
});
