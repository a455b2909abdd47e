import { expect, it } from "vitest";
import { call, created, list, minimal, post, readOne, start } from "./support";

it("close ends all connections, and can be called twice", async () => {
  const emulator = await start();
  const slow = emulator.fail({ how: { slowMs: 60_000 } });
  const request = expect(list(emulator)).rejects.toThrow();
  await slow.firstHit;
  await Promise.all([emulator.close(), emulator.close()]);
  await request;
  await expect(fetch(emulator.url)).rejects.toThrow();
});

it("the log keeps requests in order, with their bodies, and without credentials", async () => {
  const emulator = await start();
  const secrets = [{ name: "KEY", value: "v" }];
  await created(emulator, minimal("chat", { secrets }));
  await list(emulator, "?limit=5");
  await call(emulator, "GET", "/_emulator/requests");
  expect(emulator.requestLines()).toEqual(["POST /v2/deployments 201", "GET /v2/deployments 200"]);
  expect(emulator.requests()).toMatchObject([
    { body: { secrets }, headers: { "x-api-key": "***" } },
    { query: { limit: "5" }, body: undefined, status: 200 },
  ]);
  expect(emulator.peakInFlight).toBe(1);
  emulator.clearRequests();
  expect(emulator.requestLines()).toEqual([]);
});

it("every response takes the latency, which can change", async () => {
  const emulator = await start({ latency: 30 });
  await list(emulator);
  emulator.configure({ latency: 0 });
  await list(emulator);
  expect(emulator.requests()[0]!.ms).toBeGreaterThanOrEqual(29);
});

it("an application answers at its deployment's address once a revision is active, without a key", async () => {
  const emulator = await start({ apps: true, rollout: "never" });
  await created(emulator, minimal("My Chat"));
  const get = async (path: string) => (await fetch(`${emulator.url}${path}`)).status;
  expect(await get("/_apps/my-chat/ok")).toBe(503);
  emulator.finish("My Chat");
  const source_config = { custom_url: `${emulator.url}/_apps/my-chat` };
  expect(await readOne(emulator)).toMatchObject({ source_config });
  expect(await get("/_apps/my-chat/ok")).toBe(200);
  expect(await get("/_apps/search/ok")).toBe(404);
  const fault = { when: { path: "/_apps/my-chat" }, times: "always", how: { status: 500 } };
  await call(emulator, "POST", "/_emulator/faults", fault);
  expect(await get("/_apps/my-chat/ok")).toBe(500);
  expect(emulator.requestLines()).toContain("GET /_apps/my-chat/ok 503");
});

it("another tenant's key sees, creates and deletes only that tenant's deployments", async () => {
  const tenant_id = "00000000-0000-4000-8000-00000000000b";
  const emulator = await start({ otherTenants: { "other-key": tenant_id } });
  const { id } = emulator.create(minimal());
  const as = { "X-Api-Key": "other-key" };
  const other = emulator.tenant("other-key");
  expect((await call(emulator, "GET", "/v2/deployments", undefined, as)).body["resources"]).toEqual([]);
  expect((await call(emulator, "DELETE", `/v2/deployments/${id}`, undefined, as)).status).toBe(404);
  expect((await post(emulator, minimal(), as)).body).toMatchObject({ name: "chat", tenant_id });
  await call(emulator, "POST", "/_emulator/deployments", minimal("search"), as);
  expect(other.deployments().map(({ name }) => name)).toEqual(["chat", "search"]);
  expect(emulator.deployments().map((record) => record.id)).toEqual([id]);
});
