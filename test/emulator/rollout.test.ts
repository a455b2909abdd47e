import { describe, expect, it } from "vitest";
import { VirtualClock, type Emulator, type Rollout } from "../../emulator";
import { call, created, list, readOne, minimal, start } from "./support";

type Shown = [status: string, active: boolean];

/** Status, and whether the latest revision is the active one, at each of so many polls. */
async function polls(emulator: Emulator, count: number): Promise<Shown[]> {
  const shown: Shown[] = [];
  for (let index = 0; index < count; index += 1) {
    const deployment = await readOne(emulator);
    const { status, latest_revision_id, active_revision_id } = deployment ?? {};
    shown.push([String(status), active_revision_id === latest_revision_id]);
  }
  return shown;
}

const revise = (emulator: Emulator, id: unknown) =>
  call(emulator, "PATCH", `/v2/deployments/${String(id)}`, { source_revision_config: {} });

const starting: Shown = ["AWAITING_DATABASE", false];
const lagging: Shown = ["READY", false];
const done: Shown = ["READY", true];

describe("the rollout of a first revision", () => {
  it.each<[string, Rollout | undefined, Shown[]]>([
    ["is done after one poll, unless told otherwise", undefined, [starting, done, done]],
    ["is done at once", { polls: 0 }, [done, done, done]],
    ["is done after so many polls", { polls: 2 }, [starting, starting, done]],
    ["never ends", "never", [starting, starting, starting]],
    [
      "goes through statuses",
      ["AWAITING_DATABASE", "UNKNOWN", "READY"],
      [starting, ["UNKNOWN", false], done],
    ],
    [
      "is not done at a ready status that is not the last one",
      ["READY", "READY", "READY"],
      [lagging, lagging, done],
    ],
    [
      "stays at a last status that is not ready",
      ["UNUSED"],
      [
        ["UNUSED", false],
        ["UNUSED", false],
        ["UNUSED", false],
      ],
    ],
    ["fails and never becomes active", { polls: 1, fails: true }, [starting, starting, starting]],
  ])("%s", async (_what, rollout, expected) => {
    const emulator = await start({ rollout });
    await created(emulator);
    expect(await polls(emulator, 3)).toEqual(expected);
  });

  it("takes the time that the clock says, however often it is polled", async () => {
    const clock = new VirtualClock();
    const emulator = await start({ clock, rollout: { afterMs: 5000 } });
    await created(emulator);
    clock.advance(4999);
    expect(await polls(emulator, 3)).toEqual([starting, starting, starting]);
    clock.advance(1);
    expect(await polls(emulator, 1)).toEqual([done]);
  });
});

describe("the rollout of a later revision", () => {
  it("leaves the status ready while the active revision lags behind", async () => {
    const emulator = await start();
    const first = emulator.create(minimal());
    await revise(emulator, first.id);
    const lag = await readOne(emulator);
    expect(lag).toMatchObject({ status: "READY", active_revision_id: first.latest_revision_id });
    expect(lag?.["latest_revision_id"]).not.toBe(first.latest_revision_id);
    expect(await polls(emulator, 1)).toEqual([done]);
  });

  it("overtakes an earlier one that is not finished", async () => {
    const emulator = await start({ rollout: { polls: 2 } });
    const { id } = await created(emulator);
    await polls(emulator, 1);
    await revise(emulator, id);
    expect(await polls(emulator, 3)).toEqual([starting, starting, done]);
    expect(emulator.deployment(String(id))?.revisions.map(({ state }) => state)).toEqual([
      "overtaken",
      "done",
    ]);
  });
});

describe("a script", () => {
  it("can be one per name, or a function of name and revision", async () => {
    const emulator = await start({ rollout: { byName: { slow: { polls: 2 } }, otherwise: { polls: 0 } } });
    for (const name of ["slow", "fast"]) await created(emulator, minimal(name));
    expect(emulator.deployment("fast")?.status).toBe("READY");
    await list(emulator);
    expect(emulator.deployment("slow")?.status).toBe("AWAITING_DATABASE");
    await list(emulator);
    expect(emulator.deployment("slow")?.status).toBe("READY");

    emulator.configure({ rollout: ({ revision }) => (revision === 2 ? "never" : { polls: 0 }) });
    await revise(emulator, emulator.deployment("fast")?.id);
    expect(emulator.deployment("fast")?.revisions.at(-1)?.state).toBe("rolling-out");
  });

  it("counts only responses that contain the deployment", async () => {
    const emulator = await start();
    const { id } = await created(emulator, minimal("a"));
    await created(emulator, minimal("b"));
    await list(emulator, "?limit=1");
    await list(emulator, "?name_contains=b");
    await list(emulator, "?offset=2");
    expect(emulator.deployment("a")?.status).toBe("AWAITING_DATABASE");
    await list(emulator, `?deployment_ids=${String(id)}`);
    expect(emulator.deployment("a")?.status).toBe("READY");
  });

  it("can be cut short", async () => {
    const emulator = await start({ rollout: "never" });
    await created(emulator);
    expect(emulator.finish("chat")).toMatchObject({ status: "READY" });
  });

  it("ends where somebody changes the status", async () => {
    const emulator = await start();
    await created(emulator);
    emulator.change("chat", (record) => (record.status = "AWAITING_DELETE"));
    expect(await polls(emulator, 2)).toEqual([
      ["AWAITING_DELETE", false],
      ["AWAITING_DELETE", false],
    ]);
  });
});

describe("DELETE", () => {
  const remove = (emulator: Emulator, id: unknown) =>
    call(emulator, "DELETE", `/v2/deployments/${String(id)}`);

  it("shows the deployment being deleted by one poll, then it is deleted", async () => {
    const emulator = await start();
    const { id } = await created(emulator);
    expect(await remove(emulator, id)).toMatchObject({ status: 204, body: {} });
    expect(await readOne(emulator)).toMatchObject({ status: "AWAITING_DELETE" });
    expect(await readOne(emulator)).toBeUndefined();
    expect((await remove(emulator, id)).status).toBe(404);
  });

  it("takes as many polls, or as much time, as the script says", async () => {
    const clock = new VirtualClock();
    const deletion = { byName: { slow: { polls: 2 }, timed: { afterMs: 10 }, stuck: "never" } } as const;
    const emulator = await start({ clock, deletion });
    const names = async () => (await list(emulator)).map(({ name }) => name).sort();
    for (const name of ["slow", "timed", "stuck"]) {
      const { id } = await created(emulator, minimal(name));
      await remove(emulator, id);
    }
    expect(await names()).toEqual(["slow", "stuck", "timed"]);
    clock.advance(10);
    expect(await names()).toEqual(["slow", "stuck"]);
    expect(await names()).toEqual(["stuck"]);
  });

  it("can be at once", async () => {
    const emulator = await start({ deletion: { polls: 0 } });
    const { id } = await created(emulator);
    await remove(emulator, id);
    expect(emulator.deployments()).toEqual([]);
  });

  it("refuses a second deletion, and a change, of what is being deleted", async () => {
    const emulator = await start();
    const { id } = await created(emulator);
    await remove(emulator, id);
    expect(await remove(emulator, id)).toMatchObject({
      status: 409,
      body: { detail: "Deployment 'chat' is being deleted." },
    });
    expect((await revise(emulator, id)).status).toBe(409);
  });
});
