import { describe, expect, it } from "vitest";
import type { Emulator, Rollout } from "../../emulator";
import { call, created, list, minimal, readOne, start } from "./support";

type Shown = [status: string, isActive: boolean];

/** For each poll: the status, and whether the latest revision is active. */
async function polls(emulator: Emulator, count: number): Promise<Shown[]> {
  const shown: Shown[] = [];
  for (let index = 0; index < count; index += 1) {
    const { status, latest_revision_id, active_revision_id } = (await readOne(emulator)) ?? {};
    shown.push([String(status), active_revision_id === latest_revision_id]);
  }
  return shown;
}

const revise = (emulator: Emulator, id: unknown) =>
  call(emulator, "PATCH", `/v2/deployments/${String(id)}`, { source_revision_config: {} });

const starting: Shown = ["AWAITING_DATABASE", false];
const lagging: Shown = ["READY", false];
const unused: Shown = ["UNUSED", false];
const done: Shown = ["READY", true];

describe("the rollout of a first revision", () => {
  it.each<[string, Rollout | undefined, Shown[]]>([
    ["is done after one poll by default", undefined, [starting, done, done]],
    ["can be done at once", { polls: 0 }, [done, done, done]],
    ["can take several polls", { polls: 2 }, [starting, starting, done]],
    ["can take forever", "never", [starting, starting, starting]],
    ["follows statuses", ["AWAITING_DATABASE", "UNKNOWN", "READY"], [starting, ["UNKNOWN", false], done]],
    ["is not done at a ready status before the last", ["READY", "READY", "READY"], [lagging, lagging, done]],
    ["stays at a last status that is not ready", ["UNUSED"], [unused, unused, unused]],
    ["can fail, and is then never active", { polls: 1, fails: true }, [starting, starting, starting]],
  ])("%s", async (_what, rollout, expected) => {
    const emulator = await start({ rollout });
    await created(emulator);
    expect(await polls(emulator, 3)).toEqual(expected);
  });
});

describe("the rollout of a later revision", () => {
  it("leaves the status ready while the active revision lags behind", async () => {
    const emulator = await start();
    const first = emulator.create(minimal());
    await revise(emulator, first.id);
    expect(await polls(emulator, 2)).toEqual([lagging, done]);
  });
});

describe("a script", () => {
  it("counts only responses that contain the deployment", async () => {
    const emulator = await start();
    const { id } = await created(emulator, minimal("a"));
    await created(emulator, minimal("b"));
    for (const query of ["?limit=1", "?name_contains=b", "?offset=2"]) await list(emulator, query);
    expect(emulator.deployment("a")?.status).toBe("AWAITING_DATABASE");
    await list(emulator, `?deployment_ids=${String(id)}`);
    expect(emulator.deployment("a")?.status).toBe("READY");
  });

  it("ends early with `finish`, or when someone changes the status", async () => {
    const emulator = await start({ rollout: "never" });
    await created(emulator);
    emulator.change("chat", (record) => (record.status = "UNUSED"));
    expect(await polls(emulator, 2)).toEqual([unused, unused]);
    expect(emulator.finish("chat")).toMatchObject({ status: "READY" });
  });
});

describe("DELETE", () => {
  const remove = (emulator: Emulator, id: unknown) =>
    call(emulator, "DELETE", `/v2/deployments/${String(id)}`);

  it("shows the deployment being deleted in one poll, then it is gone", async () => {
    const emulator = await start();
    const { id } = await created(emulator);
    expect(await remove(emulator, id)).toMatchObject({ status: 204, body: {} });
    expect(await readOne(emulator)).toMatchObject({ status: "AWAITING_DELETE" });
    expect(await readOne(emulator)).toBeUndefined();
    expect((await remove(emulator, id)).status).toBe(404);
  });

  it("refuses a second deletion, and changes to what is being deleted", async () => {
    const emulator = await start();
    const { id } = await created(emulator);
    await remove(emulator, id);
    const detail = "Deployment 'chat' is being deleted.";
    expect(await remove(emulator, id)).toMatchObject({ status: 409, body: { detail } });
    expect((await revise(emulator, id)).status).toBe(409);
  });
});
