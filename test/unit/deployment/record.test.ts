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
const none = undefined;
const normalized = { sourceRevisionConfig: { imageUri: "registry.example.com/chat@sha256:2" } };

const shownAs = (cpu: number, updatedAt = "2031-01-01T00:00:00Z") => {
  return { updatedAt, sourceConfig: { resourceSpec: { cpu } } };
};
const stale = shownAs(1, stateAfter(first).observed.updatedAt!);

type Row = [
  what: string,
  sends: Values,
  rollout: Rollout | undefined,
  response: Partial<Observed>,
  end: Waited["end"],
  last: Partial<Observed>,
  leaves: Rollout | undefined,
  more?: { before?: Rollout; skipAwait?: true; tells?: RegExp },
];

it.each<Row>([
  ["an active revision", image, awaited, made, "active", done, none],
  ["a failed revision", image, awaited, made, "stopped", made, awaited],
  [
    "a revision that nothing waits for",
    image,
    awaited,
    made,
    "not awaited",
    made,
    awaited,
    { skipAwait: true },
  ],
  [
    "no revision",
    image,
    unseen,
    {},
    "no revision",
    {},
    unseen,
    { tells: /does not show its new revision yet/ },
  ],
  [
    "no revision in a second run",
    ...([{}, unseen, {}, "no revision", {}, none] as const),
    { before: unseen, tells: /no longer waits for it/ },
  ],
  [
    "a settings change with an unfinished rollout that ends",
    ...([size, awaited, done, "active", done, none] as const),
    { before: awaited },
  ],
  [
    "a normalized value",
    ...([image, awaited, { ...made, ...normalized }, "active", { ...done, ...normalized }, none] as const),
    { tells: /the service stored/ },
  ],
  [
    "a normalized value of a failed revision",
    ...([
      image,
      awaited,
      { ...made, ...normalized },
      "stopped",
      { ...made, ...normalized },
      awaited,
    ] as const),
  ],
  [
    "someone else's value in a newer revision",
    image,
    awaited,
    {},
    "active",
    { ...others, ...normalized },
    none,
  ],
  ["a stale response to a settings change", size, none, stale, "active", stale, none],
  [
    "a fresh response that shows something else",
    ...([size, none, shownAs(4), "active", shownAs(4), none] as const),
    { tells: /the service stored/ },
  ],
])("%s leaves the right mark", (_, sends, rollout, response, end, last, leaves, more = {}) => {
  const declared = declare({ ...sends, ...(more.skipAwait && { skipAwait: true }) }, first);
  const change: Change = {
    ...{ declared, sent: sends, makesRevision: sends === image },
    ...{ response: served(declared, response), previous: ["r1"], updatedBefore: stale.updatedAt },
  };
  const waited: Waited = { end, observed: served(declared, last), rollout };
  const before = stateAfter(first, {}, more.before);
  const { state, warnings } = stateAfterStep(change, waited, before, {
    address,
    dialect: standard,
  });
  expect(state.private.rollout).toEqual(leaves);
  expect(warnings.join()).toMatch(more.tells ?? /^$/);
  expect(state.arguments).toEqual(declared.arguments);
});
