import { describe, expect, it } from "vitest";
import { diff } from "../../../provider/deployment/diff";
import type { UnfinishedError } from "../../../provider/deployment/state";
import { langsmith } from "../../../provider/dialects/langsmith";
import { declare, failed, rejectionOf, served, stateAfter, updating } from "../../support/service";

const imagePatch = { sourceRevisionConfig: { imageUri: "registry.example.com/chat:2" } };
const first = declare();
const before = stateAfter(first);
const next = declare(imagePatch, first);
const made = { latestRevisionId: "r2", activeRevisionId: "r1" };
const rolledOut = { latestRevisionId: "r2", activeRevisionId: "r2" };

const again = declare({ triggers: 1 }, first);

it.each([
  ["there is no new revision", next, served(first)],
  ["there is one of someone else", next, served(first, rolledOut)],
  ["the deployment is not shown", next, undefined],
  ["only `triggers` changed, so that the old revision has the same values", again, served(first)],
])("a PATCH whose response was lost is sent again if %s (H01)", async (_, declared, found) => {
  const lost = failed("unavailable", { isAmbiguous: true });
  const scripts = { update: [lost, served(declared, rolledOut)], read: [served(first), found] };
  const { work, service } = updating(scripts, declared, before);
  await work;
  expect(service.methods).toEqual(["read", "update", "read", "update"]);
});

it("a deployment that a PATCH does not find is not taken for deleted if the key sees nothing of its tenant", async () => {
  const scripts = { update: [failed("not-found")], seesTenant: [false] };
  const { message } = await rejectionOf(updating(scripts, next, before).work);
  expect(message).toContain("this API key does not see the deployment or any other of its tenant");
});

it("a new revision that is active is waited for until the deployment is READY", async () => {
  const awaiting = served(next, { ...rolledOut, status: "AWAITING_DATABASE" });
  const { work, service } = updating({ update: [awaiting], poll: [served(next, rolledOut)] }, next, before);
  expect((await work).observed).toMatchObject({ status: "READY" });
  expect(service.methods).toEqual(["read", "update", "poll"]);
});

describe("an update whose responses still show the revision from before", () => {
  const lagging = served(first);
  /** An earlier run did not see the new revision. */
  const unseen = stateAfter(next, {}, { revision: null, previous: ["r1"] });

  it("waits until the new revision appears, and then until it is active", async () => {
    const polls = [lagging, lagging, lagging, lagging, served(next, made), lagging, served(next, rolledOut)];
    const { work, service, said } = updating({ update: [lagging], poll: polls }, next, before);
    expect((await work).observed).toMatchObject(rolledOut);
    expect(service.count("poll")).toBe(polls.length);
    expect(said[0]).toContain("waiting for the new revision to appear");
    expect(said.filter((line) => !line.includes(": waiting for "))).toEqual([
      expect.stringMatching(/^progress: active after \S+: revision r2$/),
    ]);
  });

  it("says so after ten polls without it, judges nothing, and resumes in the next run", async () => {
    const { work, service, said } = updating({ update: [lagging], poll: [lagging] }, next, before);
    const { private: memory, arguments: args } = await work;
    expect(service.count("poll")).toBe(10);
    expect(memory).toMatchObject({ rollout: { revision: null, previous: ["r1"] } });
    expect(args).toMatchObject(next.arguments);
    expect(said.filter((line) => line.startsWith("warning"))).toEqual([
      "warning: chat: the service accepted the change but does not show its new revision; the latest is still r1: the next `pulumi up` looks for it again",
    ]);
  });

  it("resumes in the next run if its time ended before the revision appeared", async () => {
    const scripts = { update: [lagging], poll: [lagging] };
    const error = await rejectionOf(updating(scripts, next, before, { timeout: 10_000 }).work);
    expect(error.message).toContain("no new revision has appeared; the latest is still r1");
    expect(error).toMatchObject({ state: { private: { rollout: { revision: null, previous: ["r1"] } } } });
  });

  it("is finished by the next run with the revision that has appeared meanwhile", async () => {
    const scripts = { read: [served(next, made)], poll: [served(next, rolledOut)] };
    const { work, said } = updating(scripts, next, unseen);
    expect((await work).private.rollout).toBeUndefined();
    expect(said.join()).not.toContain("warning");
  });

  it("is given up by the next run if that does not see it either", async () => {
    const { work, said } = updating({ read: [lagging], poll: [lagging] }, next, unseen);
    expect((await work).private.rollout).toBeUndefined();
    expect(said.at(-1)).toMatch(
      /^warning: chat: .* does not show its new revision; .*: this no longer waits for it\. .* change `triggers` \(.*\)$/,
    );
  });

  it("is not mistaken for the revision of the next change, whose response may show it as the latest", async () => {
    const third = declare({ sourceRevisionConfig: { imageUri: "registry.example.com/chat:3" } }, next);
    const late = served(next, rolledOut);
    const last = { latestRevisionId: "r3", activeRevisionId: "r3" };
    const scripts = { read: [late], update: [late], poll: [late, served(third, last)] };
    expect((await updating(scripts, third, unseen).work).observed).toMatchObject(last);
  });
});

describe("an update after an unfinished rollout", () => {
  const state = stateAfter(next, made, { revision: "r2", previous: ["r1"] });

  it("waits for the rollout if it changes only settings", async () => {
    const declared = declare({ ...imagePatch, sourceConfig: {} }, next);
    const scripts = { update: [served(declared, made)], poll: [served(declared, rolledOut)] };
    const { work, service } = updating(scripts, declared, state);
    expect((await work).private.rollout).toBeUndefined();
    expect(service.methods).toEqual(["read", "update", "poll"]);
  });

  it("says so if the deployment was deleted meanwhile", async () => {
    expect((await rejectionOf(updating({ read: [undefined] }, next, state).work)).message).toBe(
      "the deployment no longer exists: it was deleted outside this stack. Run `pulumi refresh`, then `pulumi up`",
    );
  });

  it("with `skipAwait` neither sends nor waits for anything, and waits once `skipAwait` is removed", async () => {
    const skipping = declare({ ...imagePatch, skipAwait: true }, next);
    expect(diff(state, skipping, langsmith)).toMatchObject({ plan: { effect: "none", resumes: false } });
    const { work, service } = updating({}, skipping, state);
    const left = await work;
    expect(service.calls).toEqual([]);
    const scripts = { read: [served(next, made)], poll: [served(next, rolledOut)] };
    const waiting = updating(scripts, declare(imagePatch, next), left);
    expect((await waiting.work).private.rollout).toBeUndefined();
    expect(waiting.service.methods).toEqual(["read", "poll"]);
  });
});

it("an update whose revision failed leaves the generation to the next one that ends well", async () => {
  const failing = served(next, { ...made, latestRevisionStatus: "DEPLOY_FAILED" });
  const onLangsmith = { dialect: { ...langsmith, name: "standard" } };
  const { state } = (await rejectionOf(
    updating({ update: [failing], poll: [failing] }, next, before, onLangsmith).work,
  )) as UnfinishedError;
  expect([before.generation, next.generation, state.generation]).toEqual([1, 2, 1]);
  expect(state.private.rollout).toMatchObject({ revision: "r2", isUncounted: true });
});
