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
const size = { sourceConfig: { deploymentType: "dev_zero", deploymentTier: "SERVERLESS_M" } };
const secret = { secrets: { A: "1" } };

type State = "active" | "waiting" | "failed" | "unwatched, none active";
/** `wait`, or what is sent; what follows a `then` needs an active revision. */
type Row = readonly [declares: Values, steps: readonly string[], says: RegExp | undefined];

const states: Record<State, { shown: Partial<Observed>; rollout?: Rollout }> = {
  active: { shown: {} },
  waiting: { shown: { activeRevisionId: null, latestRevisionStatus: "BUILDING" }, rollout },
  failed: { shown: { activeRevisionId: null, latestRevisionStatus: "BUILD_FAILED" }, rollout },
  "unwatched, none active": { shown: { activeRevisionId: null } },
};

const ofSecret = "revision: secrets.A";
const ofSize = "revision: sourceConfig.deploymentTier";
const ofName = "settings: displayName";
const saysNothing = /^changes nothing .* \(skipAwait\)$/;
const table: Record<State, readonly Row[]> = {
  active: [
    [{}, [], undefined],
    [secret, [ofSecret], /^creates a new revision/],
    [size, [ofSize], /^creates a new revision/],
    [{ skipAwait: true }, [], saysNothing],
  ],
  waiting: [
    [{}, ["wait"], /^resumes waiting .*, no new revision$/],
    [{ skipAwait: true }, [], saysNothing],
    [secret, [ofSecret], /^creates a new revision/],
    [
      size,
      ["wait", `then ${ofSize}`],
      /^resumes waiting for its last rollout, then creates a new revision \(sourceConfig\.deploymentTier\)$/,
    ],
    [
      { ...size, ...secret },
      [ofSecret, `then ${ofSize}`],
      /^creates a new revision \(.*deploymentTier.*secrets: \+A\); sourceConfig.deploymentTier is sent only once a rev/,
    ],
    [
      { ...size, skipAwait: true },
      ["wait", `then ${ofSize}`],
      /^creates a new revision .*; sourceConfig.deploymentTier is sent only once a revision is active$/,
    ],
  ],
  failed: [
    [{}, ["wait"], /^its last revision failed \(BUILD_FAILED\): `up` fails again/],
    [
      { displayName: "Chat" },
      ["wait", `then ${ofName}`],
      /^its last revision failed .*\(displayName is sent only once a revision is active\)/,
    ],
  ],
  "unwatched, none active": [
    [
      { displayName: "Chat" },
      ["wait", `then ${ofName}`],
      /^updates settings, no new revision \(displayName\); displayName is sent only once a revision is active$/,
    ],
  ],
};
const rows = Object.entries(table).flatMap(([state, all]) =>
  all.map((row) => [state as State, ...row] as const),
);

describe("an `up`", () => {
  it.each(rows)("of a deployment that is %s, declaring %j: %j (C25)", (is, declares, expected, says) => {
    const before = { ...least.internal_template, sourceConfig: { deploymentType: "dev_zero" } };
    const { shown, rollout } = states[is];
    const had = declared(before);
    const state = stateWith(had, shown);
    const known = { ...state, private: { ...state.private, rollout } };
    const next = declared({ ...before, ...declares }, had);
    const { now, later, resumes } = plan(known, next, langsmith);
    const sends = (step: typeof now) =>
      step.length === 0 ? [] : [`${effectOf(step)}: ${step.map(({ path }) => formatPath(path)).join(", ")}`];
    const waits = now.length === 0 && (resumes || later.length > 0);
    const texts = [...sends(now), ...(waits ? ["wait"] : []), ...sends(later).map((text) => `then ${text}`)];
    expect(texts).toEqual(expected);
    const { explanation } = diff(known, next, langsmith);
    if (says === undefined) expect(explanation).toBeUndefined();
    else expect(explanation).toMatch(says);
  });
});
