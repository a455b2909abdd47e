import { beforeEach, describe, expect, it } from "vitest";
import type { Emulator } from "../../emulator";
import { call, created, list, minimal, post, readOne, start } from "./support";

let emulator: Emulator;
beforeEach(async () => {
  emulator = await start();
});

describe("a fault hits", () => {
  const statuses = async (count: number) => {
    const seen: number[] = [];
    for (let index = 0; index < count; index += 1)
      seen.push((await fetch(emulator.url, { method: "HEAD" })).status);
    return seen;
  };

  it("one request by default", async () => {
    const fault = emulator.fail({ how: { status: 503 } });
    expect(await statuses(2)).toEqual([503, 401]);
    expect(fault.hits).toBe(1);
  });

  it("several requests, from the nth on", async () => {
    emulator.fail({ when: { nth: 2 }, times: 2, how: { status: 500 } });
    expect(await statuses(4)).toEqual([401, 500, 500, 401]);
  });

  it("all requests until it is cancelled", async () => {
    const fault = emulator.fail({ times: "always", how: { status: 500 } });
    expect(await statuses(3)).toEqual([500, 500, 500]);
    fault.cancel();
    expect(await statuses(1)).toEqual([401]);
    expect(fault.hits).toBe(3);
  });

  it("before later faults that also match", async () => {
    emulator.fail({ how: { status: 500 } });
    emulator.fail({ how: { status: 502 } });
    expect(await statuses(3)).toEqual([500, 502, 401]);
  });

  it("requests by method, path, body and query", async () => {
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
});

describe("a fault", () => {
  it("cuts the response in the middle but declares the whole length", async () => {
    emulator.fail({ how: { truncate: true } });
    const response = await fetch(`${emulator.url}/v2/deployments`, {
      method: "POST",
      headers: { "X-Api-Key": emulator.apiKey, "Content-Type": "application/json" },
      body: JSON.stringify(minimal()),
    });
    expect(response.status).toBe(201);
    expect(Number(response.headers.get("content-length"))).toBeGreaterThan(500);
    await expect(response.text()).rejects.toThrow();
    expect(emulator.deployments()).toHaveLength(1);
  });

  it("sends a body of the given size", async () => {
    emulator.fail({ how: { hugeBody: 200_000 } });
    const { status, body } = await call(emulator, "GET", "/v2/deployments");
    expect([status, JSON.stringify(body).length]).toEqual([200, 200_000]);
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

  it.each([86_400_000, -86_400_000])("sends a date that is off by %i ms", async (dateAheadMs) => {
    emulator.fail({ how: { dateAheadMs } });
    const { status, headers } = await post(emulator);
    expect(status).toBe(201);
    const off = Date.parse(headers.get("date") ?? "") - Date.now();
    expect(Math.abs(off - dateAheadMs)).toBeLessThan(10_000);
  });

  it("does not hide an error in the test's own predicate", async () => {
    const body = () => {
      throw new Error("predicate");
    };
    emulator.fail({ when: { body }, how: { status: 400 } });
    const detail = expect.stringContaining("predicate") as string;
    expect(await post(emulator)).toMatchObject({ status: 500, body: { detail } });
  });
});
