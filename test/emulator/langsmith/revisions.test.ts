import { describe, expect, it } from "vitest";
import { langsmithWith, type Rollout } from "../../../emulator";
import { bodies, call, deployed, image, refusal, start } from "./support";

const newImage = { source_revision_config: { image_uri: `${image}1` } };
const nobody = "99999999-9999-4999-8999-999999999999";

describe("the rollout of a revision (5.1, 7.11)", () => {
  it.each([
    [
      "github",
      ["CREATING", "QUEUED", "AWAITING_BUILD", "BUILDING", "AWAITING_DEPLOY", "DEPLOYING", "DEPLOYED"],
    ],
    ["external_docker", ["CREATING", "QUEUED", "AWAITING_DEPLOY", "DEPLOYING", "DEPLOYED"]],
  ] as const)("goes through the statuses of %s", async (source, statuses) => {
    const emulator = await start({ rollout: { polls: statuses.length - 1 } });
    const { get, made } = await deployed(emulator, bodies[source]);
    const shown: unknown[] = [];
    for (const _status of statuses)
      shown.push((await get(`/revisions/${String(made["latest_revision_id"])}`)).body["status"]);
    expect(shown).toEqual(statuses);
  });

  it.each<[string, Rollout, string[]]>([
    ["fails while it is built", { polls: 1, fails: "BUILD_FAILED" }, ["CREATING", "BUILD_FAILED"]],
    ["fails while it is created", { polls: 0, fails: "CREATE_FAILED" }, ["CREATE_FAILED"]],
    ["fails while it is deployed", { polls: 1, fails: true }, ["CREATING", "DEPLOY_FAILED"]],
    ["is skipped", { revision: ["QUEUED", "SKIPPED"] }, ["QUEUED", "SKIPPED", "SKIPPED"]],
    [
      "is interrupted, unknown, and then goes on",
      { revision: ["BUILDING", "INTERRUPTED", "UNKNOWN", "DEPLOYED"] },
      ["BUILDING", "INTERRUPTED", "UNKNOWN", "DEPLOYED"],
    ],
    ["stays at a status never heard of", { revision: ["REHEATING"] }, ["REHEATING", "REHEATING"]],
  ])("%s", async (_what, rollout, statuses) => {
    const emulator = await start({ rollout });
    const { get, made } = await deployed(emulator);
    const shown: unknown[] = [];
    for (const _status of statuses) shown.push((await get("/revisions")).body["resources"]);
    expect(shown).toMatchObject(statuses.map((status) => [{ status }]));
    const { body } = await get();
    const done = statuses.at(-1) === "DEPLOYED";
    expect(body["active_revision_id"]).toBe(done ? made["latest_revision_id"] : null);
    expect(body["status"]).toBe("READY");
  });

  it("lets the deployment be ready while it still runs (5.2)", async () => {
    const { get, made } = await deployed(await start({ rollout: "never" }));
    expect(made["status"]).toBe("AWAITING_DATABASE");
    expect((await get()).body).toMatchObject({ status: "READY", active_revision_id: null });
  });

  it("can wait long for the deployment's own parts", async () => {
    const { get } = await deployed(await start({ database: { polls: 3 }, rollout: { polls: 9 } }));
    const statuses: unknown[] = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await get()).body["status"]);
    expect(statuses).toEqual(["AWAITING_DATABASE", "AWAITING_DATABASE", "READY"]);
  });

  it("that fails leaves the earlier one active, and its fields are the deployment's (7.13)", async () => {
    const emulator = await start({
      rollout: ({ revision }) => (revision === 2 ? { polls: 0, fails: "BUILD_FAILED" } : { polls: 0 }),
    });
    const { patch, get, made, revisions } = await deployed(emulator);
    const { body } = await patch(newImage);
    expect((await get()).body).toMatchObject({
      ...newImage,
      status: "READY",
      active_revision_id: made["latest_revision_id"],
      latest_revision_id: body["latest_revision_id"],
    });
    expect(await revisions()).toEqual(["BUILD_FAILED", "DEPLOYED"]);
  });

  it("is over when it has failed: a newer one does not overtake it", async () => {
    const { patch, get, revisions } = await deployed(
      await start({ rollout: { revision: ["BUILDING", "BUILD_FAILED"] } }),
    );
    await get();
    await patch(newImage);
    expect(await revisions()).toEqual(["BUILDING", "BUILD_FAILED"]);
  });

  it("is skipped when a newer one overtakes it", async () => {
    const { patch, revisions } = await deployed(await start({ rollout: "never" }));
    await patch(newImage);
    expect(await revisions()).toEqual(["CREATING", "SKIPPED"]);
  });
});

describe("revisions as the service shows them (1.2, 1.7)", () => {
  it("have six keys, whatever the source", async () => {
    const { get, made } = await deployed(await start(), bodies.github);
    const { body } = await get(`/revisions/${String(made["latest_revision_id"])}`);
    expect(Object.keys(body).sort()).toEqual(
      ["id", "created_at", "updated_at", "status", "source", "source_revision_config"].sort(),
    );
    expect(body["source_revision_config"]).toMatchObject({
      repo_ref: "main",
      image_uri: null,
      repo_commit_sha: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
    });
  });

  it("come newest first, in pages, by status", async () => {
    const { patch, get } = await deployed(await start({ rollout: { polls: 0 } }));
    await patch(newImage);
    const { body: first } = await get("/revisions?limit=1");
    expect(first).toMatchObject({ resources: [newImage], offset: 1 });
    expect((await get("/revisions?offset=1")).body).toMatchObject({
      resources: [{ source_revision_config: { image_uri: image } }],
      offset: 2,
    });
    expect((await get("/revisions?status=DEPLOYED,SKIPPED")).body["resources"]).toHaveLength(2);
    expect((await get("/revisions?status=QUEUED")).body["resources"]).toEqual([]);
  });

  it.each(["limit=0", "limit=101", "offset=-1"])("do not come for %s", async (query) => {
    const { get } = await deployed(await start());
    expect((await get(`/revisions?${query}`)).status).toBe(422);
  });

  it("are not there by another id", async () => {
    const { get } = await deployed(await start());
    expect((await get(`/revisions/${nobody}`)).status).toBe(404);
    expect(await get("/revisions/latest")).toMatchObject({
      status: 422,
      body: { detail: [{ type: "uuid_parsing", loc: ["path", "revision_id"] }] },
    });
  });

  it("can be answered as what was built", async () => {
    const emulator = await start({ rules: langsmithWith({ showsBuilt: true }), rollout: { polls: 0 } });
    const { get, patch } = await deployed(emulator, bodies.github);
    await patch({ source_config: { install_command: "npm ci" } });
    const config = (await get()).body["source_revision_config"] as Record<string, string>;
    expect(config["repo_ref"]).toBe(config["repo_commit_sha"]);
    expect(config["image_uri"]).toContain(config["repo_commit_sha"]);
    expect(emulator.deployment("chat")?.source_revision_config["repo_ref"]).toBe("main");
  });
});

describe("POST …/revisions (2.2)", () => {
  it("always makes a revision, and carries over what is left out", async () => {
    const secrets = [{ name: "KEY", value: "v" }];
    const { post, get, revisions } = await deployed(await start(), { ...bodies.external_docker, secrets });
    const { status, body } = await post("/revisions", {});
    expect(status).toBe(201);
    expect(await revisions()).toEqual(["CREATING", "SKIPPED"]);
    expect(body).toMatchObject({ status: "CREATING", source_revision_config: { image_uri: image } });
    expect((await get()).body).toMatchObject({ latest_revision_id: body["id"], secrets });
  });

  it("takes what a revision is made of, in one go", async () => {
    const { post, get } = await deployed(await start(), bodies.github);
    const change = {
      source_config: { build_on_push: false, install_command: "npm ci" },
      source_revision_config: { repo_ref: "refs/tags/v1" },
      secrets: [{ name: "KEY", value: "v" }],
    };
    expect((await post("/revisions", change)).status).toBe(201);
    expect((await get()).body).toMatchObject(change);
  });

  it("takes no display name, and no other source", async () => {
    const { post } = await deployed(await start());
    expect((await post("/revisions", { display_name: "Chat" })).status).toBe(422);
    expect((await post("/revisions", { revision_source: "github" })).status).toBe(422);
  });
});

describe("POST …/redeploy (1.2)", () => {
  it("makes a revision of the same, from the same commit, and answers with the deployment", async () => {
    const { post, get, made, id } = await deployed(await start({ rollout: { polls: 0 } }), bodies.github);
    await get();
    const { status, body } = await post(`/revisions/${String(made["latest_revision_id"])}/redeploy`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, source_revision_config: made["source_revision_config"] });
    expect(body["latest_revision_id"]).not.toBe(made["latest_revision_id"]);
  });

  it("takes only the latest one, and that deployed, unless the rules say otherwise", async () => {
    for (const redeploys of ["deployed-latest", "any"] as const) {
      const emulator = await start({ rules: langsmithWith({ redeploys }), rollout: "never" });
      const { post, made } = await deployed(emulator);
      const revision = String(made["latest_revision_id"]);
      const reply = await post(`/revisions/${revision}/redeploy`);
      if (redeploys === "any") expect(reply.status).toBe(200);
      else
        expect(reply).toMatchObject(
          refusal(`Revision ID ${revision} cannot be redeployed: it is not the latest one, or not deployed.`),
        );
    }
  });
});

describe("a revision that is stuck (10.6)", () => {
  const stuck = async () => {
    const emulator = await start({ rollout: { byName: { chat: "stuck" } } });
    const chat = await deployed(emulator);
    emulator.configure({ rollout: { polls: 0 } });
    await chat.patch(newImage);
    await chat.patch({ source_revision_config: { image_uri: `${image}2` } });
    const interrupt = (id: unknown) => chat.post(`/revisions/${String(id)}/interruption`);
    return { ...chat, emulator, interrupt, first: chat.made["latest_revision_id"] };
  };

  it("holds later ones up until it is interrupted; then the newest goes on, and those in between are skipped", async () => {
    const { interrupt, revisions, first, get } = await stuck();
    expect(await revisions()).toEqual(["QUEUED", "QUEUED", "CREATING"]);
    expect((await interrupt(first)).status).toBe(202);
    expect(await revisions()).toEqual(["DEPLOYED", "SKIPPED", "INTERRUPTED"]);
    const { active_revision_id, latest_revision_id } = (await get()).body;
    expect(active_revision_id).toBe(latest_revision_id);
  });

  it("ends well where it is finished, and a queued one can be interrupted too", async () => {
    const { emulator, interrupt, revisions, get } = await stuck();
    await interrupt((await get()).body["latest_revision_id"]);
    expect((await revisions()).slice(0, 2)).toEqual(["INTERRUPTED", "QUEUED"]);
    emulator.finish("chat");
    expect(await revisions()).toEqual(["INTERRUPTED", "DEPLOYED", "DEPLOYED"]);
  });

  it("cannot be interrupted again, nor in another deployment", async () => {
    const { interrupt, first } = await stuck();
    await interrupt(first);
    expect(await interrupt(first)).toMatchObject(
      refusal(`Revision ID ${String(first)} cannot be interrupted: it has ended.`, 409),
    );
    expect((await interrupt(nobody)).status).toBe(404);
  });

  it("is played by a control too: the running one is held", async () => {
    const emulator = await start({ rollout: "never" });
    const { patch, revisions } = await deployed(emulator);
    const held = await call(emulator, "POST", "/_emulator/deployments/chat/hold", { stuck: true });
    expect(held.status).toBe(200);
    await patch(newImage);
    expect((await revisions())[0]).toBe("QUEUED");
    const wrong = await call(emulator, "POST", "/_emulator/deployments/chat/hold", { stuk: true });
    expect(wrong.status).toBe(422);
  });
});
