import { describe, expect, it } from "vitest";
import type { EmulatorOptions } from "../../../emulator";
import { bodyOf, call, deployed, start, takesNo } from "./support";

const typed = (deployment_type: string) => bodyOf("github", { deployment_type });
const newRef = { source_revision_config: { repo_ref: "next" } };

/** A deployment whose first revision is active. */
async function sized(type: string, options: EmulatorOptions = {}) {
  const emulator = await start({ rollout: { polls: 0 }, ...options });
  return { ...(await deployed(emulator, typed(type))), emulator };
}

const tiers = (compute: string | null, database = compute) => ({
  ...{ deployment_tier: compute, compute_tier: compute, database_tier: database },
});

describe("the tier of a deployment", () => {
  it.each([
    ["prod", "DEDICATED_S"],
    ["dev_zero", "SERVERLESS_S"],
    ["dev_free_zero", "SERVERLESS_S"],
    ["dev", "SERVERLESS_S"],
    ["dev_free", null],
  ])("of type %s is %s without a choice", async (type, tier) => {
    expect((await sized(type)).made).toMatchObject(tiers(tier));
  });

  it("a tier is not part of a POST", async () => {
    const emulator = await start();
    const body = { ...typed("prod"), deployment_tier: "DEDICATED_M" };
    expect((await call(emulator, "POST", "/v2/deployments", body)).status).toBe(422);
  });

  it("is changed by a PATCH, for both parts, which makes a revision", async () => {
    const { emulator, revisions, get, patch } = await sized("prod");
    await call(emulator, "PATCH", "/_emulator/deployments/chat", { tiers: { database_tier: "DEDICATED_M" } });
    const reply = await patch({ deployment_tier: "DEDICATED_L" });
    expect(reply).toMatchObject({ status: 200, body: tiers("DEDICATED_L") });
    expect(await revisions()).toHaveLength(2);
    expect((await get()).body).toMatchObject(tiers("DEDICATED_L"));
  });

  it.each([
    [{ deployment_tier: null }, 1],
    [{ ...newRef, deployment_tier: "DEDICATED_M" }, 2],
  ])("with a PATCH of %j leaves %i revisions", async (change, count) => {
    const { patch, revisions } = await sized("prod");
    expect((await patch(change)).status).toBe(200);
    expect(await revisions()).toHaveLength(count);
  });

  it("cannot be changed before a revision is active: 500", async () => {
    const { emulator, get, patch } = await sized("prod", { rollout: "never" });
    const send = () => patch({ deployment_tier: "DEDICATED_M" });
    expect((await send()).status).toBe(500);
    emulator.finish("chat");
    await get();
    expect((await send()).status).toBe(200);
  });

  it.each([
    ["dev_zero", "DEDICATED_S", 400],
    ["prod", "SERVERLESS_S", 400],
    ["prod", "DEDICATED_XL", 422],
  ])("of type %s cannot be %s: %i", async (type, deployment_tier, status) => {
    const { patch, revisions, get, made } = await sized(type);
    const reply = await patch({ deployment_tier });
    expect(reply.status).toBe(status);
    expect(typeof reply.body["detail"]).toBe(status === 400 ? "string" : "object");
    expect((await get()).body["deployment_tier"]).toBe(made["deployment_tier"]);
    expect(await revisions()).toHaveLength(1);
  });

  it("of a type whose family is unknown can be any", async () => {
    const { patch } = await sized("dev_free");
    expect((await patch({ deployment_tier: "SERVERLESS_M" })).status).toBe(200);
  });

  it("does not exist for images from elsewhere", async () => {
    const { patch, made } = await deployed(await start({ rollout: { polls: 0 } }));
    expect(made).toMatchObject(tiers(null));
    expect(await patch({ deployment_tier: "DEDICATED_S" })).toMatchObject(
      takesNo("deployment_tier", "external_docker"),
    );
  });
});

describe("what later versions added", () => {
  it("a display name, the gateway and the tracked branch change without a revision; null keeps them", async () => {
    const { patch, get, revisions } = await sized("prod");
    await patch({ display_name: "Chat", route_through_gateway: true, tracked_repo_ref: "next" });
    await patch({ display_name: null, route_through_gateway: null, tracked_repo_ref: null });
    const { body } = await get();
    expect(body).toMatchObject({
      ...{ display_name: "Chat", route_through_gateway: true, source_config: { repo_branch: "next" } },
      source_revision_config: { repo_ref: "main" },
    });
    expect(await revisions()).toHaveLength(1);
    expect((await patch({ source_revision_config: { repo_ref: "main" } })).body).toMatchObject({
      source_config: { repo_branch: "main" },
    });
  });

  it("only a deployment from a repository tracks a branch", async () => {
    const { patch } = await deployed(await start());
    expect(await patch({ tracked_repo_ref: "next" })).toMatchObject(
      takesNo("tracked_repo_ref", "external_docker"),
    );
  });

  it("a deployment can be shareable from its creation only", async () => {
    const { made, patch } = await deployed(await start(), { ...typed("prod"), shareable: true });
    expect(made).toMatchObject({ shareable: true });
    expect((await patch({ shareable: false })).status).toBe(422);
  });

  it("the core API has separate sizes", async () => {
    const spec = { core_cpu: 0.1, core_cpu_limit: 12, core_memory_mb: 512, core_memory_limit_mb: 1024 };
    const { made } = await deployed(await start(), bodyOf("external_docker", { resource_spec: spec }));
    expect(made).toMatchObject({ source_config: { resource_spec: spec } });
    for (const wrong of [{ core_cpu: 0.05 }, { core_memory_mb: 1.5 }]) {
      const body = bodyOf("external_docker", { resource_spec: wrong });
      expect((await call(await start(), "POST", "/v2/deployments", body)).status).toBe(422);
    }
  });

  it.each(["is_preview", "is_managed_deep_agent"])("what another tool owns says so with %s", async (mark) => {
    const { emulator, get } = await sized("prod");
    expect((await get()).body).toMatchObject({ [mark]: false });
    await call(emulator, "PATCH", "/_emulator/deployments/chat", { [mark]: true });
    expect((await get()).body).toMatchObject({ [mark]: true });
    emulator.seed({ deployments: [{ name: "theirs", source: "internal_template", [mark]: true }] });
    expect((await call(emulator, "GET", "/v2/deployments?name=theirs")).body).toMatchObject({
      resources: [{ [mark]: true }],
    });
  });

  it("each deployment has a tracing project of its own, which stays", async () => {
    const { emulator, get } = await sized("prod");
    const id = (await get()).body["tracer_session_id"];
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    expect((await get()).body["tracer_session_id"]).toBe(id);
    const other = await deployed(emulator, { ...bodyOf("internal_template"), name: "other" });
    expect((await other.get()).body["tracer_session_id"]).not.toBe(id);
  });
});
