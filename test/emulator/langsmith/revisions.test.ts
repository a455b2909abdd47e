import { describe, expect, it } from "vitest";
import type { Rollout } from "../../../emulator";
import { bodies, deployed, image, newImage, nobody, refusal, start } from "./support";

const build = [
  "CREATING",
  "QUEUED",
  "AWAITING_BUILD",
  "BUILDING",
  "AWAITING_DEPLOY",
  "DEPLOYING",
  "DEPLOYED",
];
const noBuild = ["CREATING", "QUEUED", "AWAITING_DEPLOY", "DEPLOYING", "DEPLOYED"];

describe("the rollout of a revision (5.1, 7.11)", () => {
  it.each<[what: string, rollout: Rollout, statuses: string[], source?: "github"]>([
    ["builds a repository", { polls: 6 }, build, "github"],
    ["skips the build of an image", { polls: 4 }, noBuild],
    ["fails during the build", { polls: 1, fails: "BUILD_FAILED" }, ["CREATING", "BUILD_FAILED"]],
    ["fails during creation", { polls: 0, fails: "CREATE_FAILED" }, ["CREATE_FAILED"]],
    ["fails during deployment", { polls: 1, fails: true }, ["CREATING", "DEPLOY_FAILED"]],
    ["is skipped", { revision: ["QUEUED", "SKIPPED"] }, ["QUEUED", "SKIPPED", "SKIPPED"]],
    [
      "is interrupted, unknown, and then continues",
      { revision: ["BUILDING", "INTERRUPTED", "UNKNOWN", "DEPLOYED"] },
      ["BUILDING", "INTERRUPTED", "UNKNOWN", "DEPLOYED"],
    ],
    ["stays at an unknown status", { revision: ["REHEATING"] }, ["REHEATING", "REHEATING"]],
  ])("%s", async (_what, rollout, statuses, source = "external_docker" as never) => {
    const { get, made, revisions } = await deployed(await start({ rollout }), bodies[source]);
    const { latest_revision_id } = made;
    for (const status of statuses) expect(await revisions()).toEqual([status]);
    const isDone = statuses.at(-1) === "DEPLOYED";
    const active_revision_id = isDone ? latest_revision_id : null;
    expect((await get()).body).toMatchObject({ active_revision_id, status: "READY" });
  });

  it("leaves the deployment ready while it is under way (5.2)", async () => {
    const { get, made } = await deployed(await start({ rollout: "never" }));
    expect(made["status"]).toBe("AWAITING_DATABASE");
    expect((await get()).body).toMatchObject({ status: "READY", active_revision_id: null });
  });

  it("leaves its predecessor active if it fails, but the deployment shows its fields (7.13)", async () => {
    const emulator = await start({
      rollout: ({ revision }) => (revision === 2 ? { polls: 0, fails: "BUILD_FAILED" } : { polls: 0 }),
    });
    const { patch, get, made, revisions } = await deployed(emulator);
    const { latest_revision_id } = (await patch(newImage)).body;
    expect((await get()).body).toMatchObject({
      ...{ ...newImage, status: "READY", latest_revision_id },
      active_revision_id: made["latest_revision_id"],
    });
    expect(await revisions()).toEqual(["BUILD_FAILED", "DEPLOYED"]);
  });

  it("is skipped if a newer one overtakes it, unless it has already failed", async () => {
    const running = await deployed(await start({ rollout: "never" }));
    await running.patch(newImage);
    expect(await running.revisions()).toEqual(["CREATING", "SKIPPED"]);
    const failed = await deployed(await start({ rollout: { revision: ["BUILDING", "BUILD_FAILED"] } }));
    await failed.get();
    await failed.patch(newImage);
    expect(await failed.revisions()).toEqual(["BUILDING", "BUILD_FAILED"]);
  });
});

describe("revisions (1.2, 1.7)", () => {
  it("are shown with six keys", async () => {
    const { get, made } = await deployed(await start(), bodies.github);
    const { body } = await get(`/revisions/${String(made["latest_revision_id"])}`);
    const keys = ["created_at", "id", "source", "source_revision_config", "status", "updated_at"];
    expect(Object.keys(body).sort()).toEqual(keys);
    const repo_commit_sha = expect.stringMatching(/^[0-9a-f]{40}$/) as string;
    expect(body["source_revision_config"]).toMatchObject({ repo_ref: "main", repo_commit_sha });
  });

  it("are listed newest first, in pages, and by status", async () => {
    const { patch, get } = await deployed(await start({ rollout: { polls: 0 } }));
    await patch(newImage);
    const images = async (query: string) => {
      const { resources, offset } = (await get(`/revisions?${query}`)).body as {
        resources: object[];
        offset: number;
      };
      return [offset, ...resources.map((one) => (one as typeof newImage).source_revision_config.image_uri)];
    };
    expect(await images("limit=1")).toEqual([1, `${image}1`]);
    expect(await images("offset=1")).toEqual([2, image]);
    expect(await images("status=DEPLOYED,SKIPPED")).toEqual([2, `${image}1`, image]);
    expect(await images("status=QUEUED")).toEqual([0]);
  });

  it.each([
    ["?limit=0", 422],
    ["?limit=101", 422],
    ["?offset=-1", 422],
    ["/latest", 422],
    [`/${nobody}`, 404],
  ])("are refused at %s with %i", async (path, status) => {
    expect((await (await deployed(await start())).get(`/revisions${path}`)).status).toBe(status);
  });
});

describe("a revision that is stuck", () => {
  const stuck = async () => {
    const emulator = await start({ rollout: "never" });
    const chat = await deployed(emulator);
    emulator.hold("chat", "stuck");
    emulator.configure({ rollout: { polls: 0 } });
    await chat.patch(newImage);
    await chat.patch({ source_revision_config: { image_uri: `${image}2` } });
    const interrupt = (id: unknown) => chat.send(`/revisions/${String(id)}/interruption`);
    return { ...chat, emulator, interrupt, first: chat.made["latest_revision_id"] };
  };

  it("queues later ones until it is interrupted; then the newest starts, and the others are skipped", async () => {
    const { interrupt, revisions, first, get } = await stuck();
    expect(await revisions()).toEqual(["QUEUED", "QUEUED", "CREATING"]);
    expect((await interrupt(first)).status).toBe(202);
    expect(await revisions()).toEqual(["DEPLOYED", "SKIPPED", "INTERRUPTED"]);
    const { active_revision_id, latest_revision_id } = (await get()).body;
    expect(active_revision_id).toBe(latest_revision_id);
  });

  it("can be finished, and a queued one can be interrupted", async () => {
    const { emulator, interrupt, revisions, get } = await stuck();
    await interrupt((await get()).body["latest_revision_id"]);
    expect((await revisions()).slice(0, 2)).toEqual(["INTERRUPTED", "QUEUED"]);
    emulator.finish("chat");
    expect(await revisions()).toEqual(["INTERRUPTED", "DEPLOYED", "DEPLOYED"]);
  });

  it("cannot be interrupted twice, or under an unknown id", async () => {
    const { interrupt, first } = await stuck();
    await interrupt(first);
    const detail = `Revision ID ${String(first)} cannot be interrupted: it has ended.`;
    expect(await interrupt(first)).toMatchObject(refusal(detail, 409));
    expect((await interrupt(nobody)).status).toBe(404);
  });
});
