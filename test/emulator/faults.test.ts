import { beforeEach, describe, expect, it } from "vitest";
import type { Emulator } from "../../emulator";
import { call, created, list, minimal, post, readOne, start } from "./support";

let emulator: Emulator;
beforeEach(async () => {
  emulator = await start();
});

describe("a fault", () => {
  it("hits requests by method, path, body and query", async () => {
    const { id } = await created(emulator);
    const how = { status: 418 };
    emulator.fail({ when: { method: "PATCH", path: /deployments\/[^/]+$/g }, how });
    emulator.fail({ when: { path: "/v1/" }, how });
    emulator.fail({ when: { body: (body) => JSON.stringify(body ?? null).includes('"b"') }, how });
    emulator.fail({ when: { query: ({ limit }) => limit === "7" }, how });
    await list(emulator);
    expect((await call(emulator, "PATCH", `/v2/deployments/${String(id)}`, {})).status).toBe(418);
    expect((await call(emulator, "GET", "/v1/x")).status).toBe(418);
    expect((await post(emulator, minimal("b"))).status).toBe(418);
    expect((await call(emulator, "GET", "/v2/deployments?limit=7")).status).toBe(418);
  });

  it("adds keys at each level, except where the user chooses the keys", async () => {
    const resource_spec = { labels: { a: "1" }, volumes: [{ name: "v", configMap: { b: 2 } }] };
    const secrets = [{ name: "KEY", value: "v" }];
    await created(emulator, minimal("chat", { source_config: { resource_spec }, secrets }));
    emulator.fail({ times: 2, how: { extraFields: true } });
    const added = { added_later: expect.anything() as unknown };
    expect(await readOne(emulator)).toMatchObject({
      ...added,
      source_config: { ...added, resource_spec: { ...added, volumes: [{ ...added, configMap: { b: 2 } }] } },
      source_revision_config: added,
      secrets: [added],
    });
    const { body } = await call(emulator, "GET", "/v2/deployments");
    expect(body).toMatchObject(added);
    expect(JSON.stringify(body)).toContain('"labels":{"a":"1"}');
  });

  it.each(["gzip", "br"])("compresses a response that asks for none, with %s", async (encoding) => {
    await created(emulator);
    emulator.fail({ how: { compressed: encoding } });
    const { body, headers } = await call(emulator, "GET", "/v2/deployments");
    // The client has unpacked it.
    expect(body).toMatchObject({ resources: [{ name: "chat" }] });
    expect(headers.get("content-encoding")).toBe(encoding);
  });

  it.each([86_400_000, -86_400_000])("sends a date that is off by %i ms", async (dateAheadMs) => {
    emulator.fail({ how: { dateAheadMs } });
    const { status, headers } = await post(emulator);
    expect(status).toBe(201);
    const off = Date.parse(headers.get("date") ?? "") - Date.now();
    expect(Math.abs(off - dateAheadMs)).toBeLessThan(10_000);
  });
});
