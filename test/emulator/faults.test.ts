import { beforeEach, describe, expect, it } from "vitest";
import type { Emulator } from "../../emulator";
import { call, created, list, readOne, minimal, start } from "./support";

let emulator: Emulator;
beforeEach(async () => {
  emulator = await start();
});

const post = () => call(emulator, "POST", "/v2/deployments", minimal());

/** The raw response, for those that are no JSON. */
const raw = (method = "GET") =>
  fetch(`${emulator.url}/v2/deployments`, {
    method,
    redirect: "manual",
    headers: { "X-Api-Key": emulator.apiKey, "Content-Type": "application/json" },
    body: method === "POST" ? JSON.stringify(minimal()) : undefined,
  });

describe("which requests a fault hits", () => {
  const statuses = async (count: number) => {
    const seen: number[] = [];
    for (let index = 0; index < count; index += 1) seen.push((await raw()).status);
    return seen;
  };

  it("is the next one, once, unless told otherwise", async () => {
    const fault = emulator.fail({ how: { status: 503 } });
    expect(await statuses(2)).toEqual([503, 200]);
    expect(fault.hits).toBe(1);
  });

  it("can be several, from the nth on", async () => {
    emulator.fail({ when: { nth: 2 }, times: 2, how: { status: 500 } });
    expect(await statuses(4)).toEqual([200, 500, 500, 200]);
  });

  it("can be all, until it is cancelled", async () => {
    const fault = emulator.fail({ times: "always", how: { status: 500 } });
    expect(await statuses(3)).toEqual([500, 500, 500]);
    fault.cancel();
    expect(await statuses(1)).toEqual([200]);
    expect(fault.hits).toBe(3);
  });

  it("is decided in order: the first fault that matches is used up first", async () => {
    emulator.fail({ how: { status: 500 } });
    emulator.fail({ how: { status: 502 } });
    expect(await statuses(3)).toEqual([500, 502, 200]);
  });

  it("can be chosen by method, path, body and query", async () => {
    const { id } = await created(emulator);
    const hit = { status: 418 };
    emulator.fail({ when: { method: "PATCH", path: /deployments\/[^/]+$/g }, how: hit });
    emulator.fail({ when: { path: "/v1/" }, how: hit });
    emulator.fail({ when: { body: (body) => JSON.stringify(body ?? null).includes('"b"') }, how: hit });
    emulator.fail({ when: { query: ({ limit }) => limit === "7" }, how: hit });
    await list(emulator);
    expect((await call(emulator, "PATCH", `/v2/deployments/${String(id)}`, {})).status).toBe(418);
    expect((await call(emulator, "GET", "/v1/x")).status).toBe(418);
    expect((await call(emulator, "POST", "/v2/deployments", minimal("b"))).status).toBe(418);
    expect((await call(emulator, "GET", "/v2/deployments?limit=7")).status).toBe(418);
  });
});

describe("a fault", () => {
  it("cuts the response in the middle, with the length of the whole", async () => {
    emulator.fail({ how: { truncate: true } });
    const response = await raw("POST");
    expect(response.status).toBe(201);
    expect(Number(response.headers.get("content-length"))).toBeGreaterThan(500);
    await expect(response.text()).rejects.toThrow();
    expect(emulator.deployments()).toHaveLength(1);
  });

  it("adds keys at each level, but not to objects whose keys are the user's", async () => {
    const resource_spec = { labels: { a: "1" }, volumes: [{ name: "v", configMap: { b: 2 } }] };
    const secrets = [{ name: "KEY", value: "v" }];
    await created(emulator, minimal("chat", { source_config: { resource_spec }, secrets }));
    emulator.fail({ how: { extraFields: true } });
    const added = { added_later: expect.anything() as unknown };
    expect(await readOne(emulator)).toMatchObject({
      ...added,
      source_config: {
        ...added,
        resource_spec: {
          ...added,
          labels: { a: "1" },
          volumes: [{ ...added, configMap: { b: 2 } }],
        },
      },
      source_revision_config: added,
      secrets: [added],
    });
    emulator.fail({ how: { extraFields: true } });
    const { body } = await call(emulator, "GET", "/v2/deployments");
    expect(body).toMatchObject(added);
    expect(JSON.stringify(body)).toContain('"labels":{"a":"1"}');
  });

  it.each([86_400_000, -86_400_000])("tells a time that is off by %i ms", async (dateAheadMs) => {
    emulator.fail({ how: { dateAheadMs } });
    const { status, headers } = await post();
    expect(status).toBe(201);
    const off = Date.parse(headers.get("date") ?? "") - Date.now();
    expect(Math.abs(off - dateAheadMs)).toBeLessThan(10_000);
  });

  it("that is a test's own mistake is not mistaken for a planned one", async () => {
    emulator.fail({
      when: {
        body: () => {
          throw new Error("predicate");
        },
      },
      how: { status: 400 },
    });
    expect(await post()).toMatchObject({
      status: 500,
      body: { detail: expect.stringContaining("predicate") as string },
    });
  });
});
