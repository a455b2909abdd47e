/** What a step leaves in the state, by what the service showed. */
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
const made = { latestRevisionId: "r2", activeRevisionId: "r1" };
const done = { latestRevisionId: "r2", activeRevisionId: "r2" };
const others = { latestRevisionId: "r3", activeRevisionId: "r3" };
const awaited: Rollout = { revision: "r2", previous: ["r1"] };
const unseen: Rollout = { revision: null, previous: ["r1"] };
const stale = { updatedAt: stateAfter(first).observed.updatedAt! };
const normalized = { sourceRevisionConfig: { imageUri: "registry.example.com/chat@sha256:2" } };

interface Row {
  readonly what: string;
  readonly sends: Values;
  /** That an earlier run left. */
  readonly before?: Rollout;
  readonly rollout?: Rollout;
  readonly end: Waited["end"];
  readonly response: Partial<Observed>;
  readonly last: Partial<Observed>;
  readonly skipAwait?: true;
  readonly keeps: Rollout | undefined;
  readonly tells?: RegExp;
  readonly readAgain?: true;
}

it.each<Row>([
  {
    what: "an active revision",
    sends: image,
    rollout: awaited,
    end: "active",
    response: made,
    last: done,
    keeps: undefined,
  },
  {
    what: "a failed revision",
    sends: image,
    rollout: awaited,
    end: "stopped",
    response: made,
    last: made,
    keeps: awaited,
  },
  {
    what: "a revision that nothing waits for",
    sends: image,
    rollout: awaited,
    end: "not awaited",
    response: made,
    last: made,
    skipAwait: true,
    keeps: awaited,
  },
  {
    what: "no revision",
    sends: image,
    rollout: unseen,
    end: "no revision",
    response: {},
    last: {},
    keeps: unseen,
    tells: /does not show its new revision yet/,
  },
  {
    what: "no revision in a second run",
    sends: {},
    before: unseen,
    rollout: unseen,
    end: "no revision",
    response: {},
    last: {},
    keeps: undefined,
    tells: /no longer waits for it/,
  },
  {
    what: "a settings change with an unfinished rollout that ends",
    sends: size,
    before: awaited,
    rollout: awaited,
    end: "active",
    response: done,
    last: done,
    keeps: undefined,
  },
  {
    what: "a normalized value",
    sends: image,
    rollout: awaited,
    end: "active",
    response: { ...made, ...normalized },
    last: { ...done, ...normalized },
    keeps: undefined,
    tells: /the service stored/,
  },
  {
    what: "a normalized value of a failed revision",
    sends: image,
    rollout: awaited,
    end: "stopped",
    response: { ...made, ...normalized },
    last: { ...made, ...normalized },
    keeps: awaited,
  },
  {
    what: "someone else's value in a newer revision",
    sends: image,
    rollout: awaited,
    end: "active",
    response: {},
    last: { ...others, ...normalized },
    keeps: undefined,
  },
  {
    what: "a stale response to a settings change",
    sends: size,
    end: "active",
    response: { ...stale, sourceConfig: { resourceSpec: { cpu: 1 } } },
    last: { ...stale, sourceConfig: { resourceSpec: { cpu: 1 } } },
    keeps: undefined,
    readAgain: true,
  },
  {
    what: "the same with `skipAwait`",
    sends: size,
    end: "active",
    response: { ...stale, sourceConfig: { resourceSpec: { cpu: 1 } } },
    last: { ...stale, sourceConfig: { resourceSpec: { cpu: 1 } } },
    skipAwait: true,
    keeps: undefined,
  },
  {
    what: "a fresh response that shows something else",
    sends: size,
    end: "active",
    response: { updatedAt: "2031-01-01T00:00:00Z", sourceConfig: { resourceSpec: { cpu: 4 } } },
    last: { updatedAt: "2031-01-01T00:00:00Z", sourceConfig: { resourceSpec: { cpu: 4 } } },
    keeps: undefined,
    tells: /the service stored/,
  },
])("$what leaves the mark $keeps", (row) => {
  const declared = declare({ ...row.sends, ...(row.skipAwait && { skipAwait: true }) }, first);
  const before = stateAfter(first, {}, row.before);
  const change: Change = {
    declared,
    sent: row.sends,
    makesRevision: row.sends === image,
    response: served(declared, row.response),
    previous: ["r1"],
  };
  const waited: Waited = { end: row.end, observed: served(declared, row.last), rollout: row.rollout };
  const { state, warnings, readAgain } = stateAfterStep(change, waited, before, {
    address,
    dialect: standard,
  });
  expect(state.private.rollout).toEqual(row.keeps);
  expect(warnings.join()).toMatch(row.tells ?? /^$/);
  expect(readAgain).toBe(row.readAgain ?? false);
  expect(state.arguments).toEqual(declared.arguments);
});
