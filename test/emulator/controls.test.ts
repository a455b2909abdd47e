import { beforeEach, describe, expect, it } from "vitest";
import type { Emulator, JsonObject } from "../../emulator";
import { call, created, list, minimal, readOne, start } from "./support";

let emulator: Emulator;
beforeEach(async () => {
  emulator = await start();
});

const control = (method: string, path: string, body?: unknown) =>
  call(emulator, method, `/_emulator${path}`, body);

describe("control routes", () => {
  it("need the key, and refuse unknown paths", async () => {
    expect((await fetch(`${emulator.url}/_emulator/requests`)).status).toBe(401);
    expect((await control("GET", "/nothing")).status).toBe(404);
  });

  it("plan, show and cancel faults", async () => {
    const fault = { when: { method: "GET", path: "/v2" }, times: "always", how: { status: 503 } };
    expect((await control("POST", "/faults", fault)).status).toBe(201);
    expect((await call(emulator, "GET", "/v2/deployments")).status).toBe(503);
    expect((await control("GET", "/faults")).body).toEqual([{ ...fault, hits: 1 }]);
    expect((await control("DELETE", "/faults")).status).toBe(204);
    expect((await call(emulator, "GET", "/v2/deployments")).status).toBe(200);
  });

  it.each([
    { how: { stauts: 500 } },
    { how: { status: 99 } },
    { how: { reset: "during" } },
    { how: { status: 500 }, when: { url: "/" } },
    { how: { status: 500 }, times: 0 },
    {},
  ])("refuse the unknown fault %j", async (fault) => {
    expect((await control("POST", "/faults", fault)).status).toBe(422);
    expect((await call(emulator, "GET", "/v2/deployments")).status).toBe(200);
  });

  it.each([
    { rolout: "never" },
    { rollout: "later" },
    { rollout: { polls: 1, fail: true } },
    { rollout: { byName: { chat: "later" } } },
    { deletion: ["READY"] },
    { latency: "20ms" },
  ])("refuse the unknown setting %j, and change nothing", async (settings) => {
    const before = (await control("GET", "/settings")).body;
    expect((await control("PATCH", "/settings", settings)).status).toBe(422);
    expect((await control("GET", "/settings")).body).toEqual(before);
  });

  it("show and forget requests, and show deployments", async () => {
    await created(emulator);
    expect((await control("GET", "/requests")).body).toMatchObject([{ method: "POST", status: 201 }]);
    expect((await control("DELETE", "/requests")).status).toBe(204);
    expect(emulator.requests()).toEqual([]);
    expect((await control("GET", "/deployments")).body).toMatchObject([{ name: "chat", revisions: [{}] }]);
  });

  it("create a deployment that is ready at once, by the same rules", async () => {
    const reply = await control("POST", "/deployments", minimal());
    expect(reply).toMatchObject({ status: 201, body: { name: "chat", status: "READY" } });
    expect((await control("POST", "/deployments", minimal())).status).toBe(409);
    expect((await control("POST", "/deployments", {})).status).toBe(422);
    expect((await list(emulator)).map(({ name }) => name)).toEqual(["chat"]);
  });

  it("change and remove a deployment by name or id", async () => {
    const { id } = emulator.create(minimal("my chat"));
    const body = { source_config: { build_on_push: true }, image_version: "2.0.0", new_revision: true };
    expect(await control("PATCH", "/deployments/my%20chat", body)).toMatchObject({
      status: 200,
      body: { image_version: "2.0.0", source_config: { build_on_push: true }, revisions: [{}, {}] },
    });
    expect((await control("PATCH", `/deployments/${id}`, { colour: "red" })).status).toBe(422);
    expect((await control("PATCH", `/deployments/${id}`, { status: "GREEN" })).status).toBe(422);
    expect((await control("DELETE", `/deployments/${id}`)).status).toBe(204);
    expect((await control("DELETE", `/deployments/${id}`)).status).toBe(404);
  });

  it("hold a running rollout, and finish it", async () => {
    await created(emulator);
    expect((await control("POST", "/deployments/chat/hold", { stuk: true })).status).toBe(422);
    expect((await control("POST", "/deployments/chat/hold")).status).toBe(200);
    for (let polls = 0; polls < 5; polls++)
      expect(await readOne(emulator)).toMatchObject({ active_revision_id: null });
    expect((await control("POST", "/deployments/chat/finish")).status).toBe(200);
    expect(await readOne(emulator)).toMatchObject({ status: "READY" });
    expect((await control("POST", "/deployments/talk/finish")).status).toBe(404);
  });

  it("make builds fail, each with its log", async () => {
    emulator = await start({ dialect: "langsmith" });
    const buildLog = ["step 1", "no such file: graph.json"];
    const failing = { polls: 0, fails: "BUILD_FAILED", buildLog, reason: "exit code 1" };
    const changed = await control("PATCH", "/settings", { rollout: failing });
    expect(changed).toMatchObject({ status: 200, body: { rollout: failing } });
    const body = minimal("chat", { source: "external_docker", source_config: { resource_spec: {} } });
    const { id } = await created(emulator, body);
    const revisions = `/v2/deployments/${String(id)}/revisions`;
    const latest = async () =>
      ((await call(emulator, "GET", revisions)).body["resources"] as [JsonObject])[0];
    const logOf = async (revision: JsonObject) => {
      const log = await call(emulator, "GET", `${revisions}/${String(revision["id"])}/logs?type=build`);
      return (log.body["logs"] as JsonObject[]).map(({ message }) => message);
    };
    const first = await latest();
    expect(first).toMatchObject({ status: "BUILD_FAILED", status_message: failing.reason });
    expect(await logOf(first)).toEqual(buildLog);

    await control("PATCH", "/settings", { rollout: "never" });
    await control("PATCH", "/deployments/chat", { new_revision: true });
    const ending = { fails: "BUILD_FAILED", buildLog: ["out of disk"] };
    expect((await control("POST", "/deployments/chat/finish", ending)).status).toBe(200);
    expect(await logOf(await latest())).toEqual(["out of disk"]);
    expect(await logOf(first)).toEqual(buildLog);
  });
});
