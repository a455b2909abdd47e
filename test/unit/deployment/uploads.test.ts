/** Deployments that are created before there is anything to run: someone uploads that later. */
import { describe, expect, it } from "vitest";
import { diff } from "../../../provider/deployment/diff";
import { create } from "../../../provider/deployment/create";
import { read } from "../../../provider/deployment/read";
import { update } from "../../../provider/deployment/update";
import { langsmith } from "../../../provider/dialects/langsmith";
import { declared, least } from "../../support/langsmith";
import { observedAs } from "../../support/observed";
import { setUp } from "../../support/service";

const image = { imageUri: "registry.example.com/chat:1" };
const tarball = { sourceTarballPath: "uploads/chat.tar.gz" };

describe.each([
  ["internal_container", "sourceRevisionConfig.imageUri", image],
  ["internal_source", "sourceRevisionConfig.sourceTarballPath", tarball],
] as const)("an empty %s deployment", (source, path, uploaded) => {
  const empty = declared(least[source]);
  const nothing = { latestRevisionId: null, latestRevisionStatus: null, activeRevisionId: null } as const;
  const told = `info: chat: there is nothing to run yet, so this does not wait for a rollout. The first one begins with an upload, or with ${path}`;
  const made = () => setUp({ create: [observedAs(empty.arguments, nothing)] }, { dialect: langsmith });

  it("is created without waiting, and the output says so", async () => {
    const { context, service, said } = made();
    const { state } = await create(context, empty);
    expect(service.methods).toEqual(["create"]);
    expect(said).toEqual([told]);
    expect(state.private.rollout).toBeUndefined();
  });

  it("has not drifted after someone has uploaded something", async () => {
    const { state } = await create(made().context, empty);
    const live = observedAs(empty.arguments, { sourceRevisionConfig: { ...uploaded, repoCommitSha: null } });
    const { context } = setUp({ read: [live] }, { dialect: langsmith });
    const refreshed = await read(context, "d1", state);
    expect(refreshed!.observed).toMatchObject({ latestRevisionId: "r1", activeRevisionId: "r1" });
    expect(refreshed!.arguments).not.toHaveProperty("sourceRevisionConfig.imageUri");
    expect(refreshed!.private.rollout).toBeUndefined();
    expect(diff(refreshed!, empty, langsmith).plan.effect).toBe("none");
  });

  it("is not waited for after a change that cannot make a revision yet, and is after one that can", async () => {
    const { state } = await create(made().context, empty);
    const changed = declared({ ...least[source], secrets: { KEY: "s3cr3t-value" } }, empty);
    const read = [observedAs(empty.arguments, nothing)];
    const before = setUp({ read, update: [observedAs(changed.arguments, nothing)] }, { dialect: langsmith });
    await update(before.context, "d1", state, changed);
    expect(before.service.methods).toEqual(["read", "update"]);
    expect(before.said).toContain(told);

    const live = { sourceRevisionConfig: { ...uploaded, repoCommitSha: null }, latestRevisionId: "r2" };
    const scripts = {
      read,
      update: [observedAs(changed.arguments, { ...live, activeRevisionId: "r1" })],
      poll: [observedAs(changed.arguments, { ...live, activeRevisionId: "r2" })],
    };
    const after = setUp(scripts, { dialect: langsmith });
    await after.clock.run(update(after.context, "d1", state, changed));
    expect(after.service.methods).toEqual(["read", "update", "poll"]);
  });
});
