import { beforeEach, describe, expect, it } from "vitest";
import type { Emulator } from "../../emulator";
import { call, list, minimal, start } from "./support";

let emulator: Emulator;
beforeEach(async () => {
  emulator = await start();
});

const names = async (query = "") => (await list(emulator, query)).map(({ name }) => name);

describe("GET /v2/deployments pages", () => {
  beforeEach(() => {
    for (let number = 1; number <= 105; number += 1) emulator.create(minimal(`d${number}`));
  });

  it("of 20 unless asked, newest first", async () => {
    expect(await names()).toEqual(Array.from({ length: 20 }, (_, index) => `d${105 - index}`));
  });

  it("that add up: the returned offset is the next one to ask for", async () => {
    const seen: unknown[] = [];
    const offsets: unknown[] = [];
    for (let offset: unknown = 0, rows = 1; rows > 0;) {
      const { body } = await call(emulator, "GET", `/v2/deployments?limit=50&offset=${String(offset)}`);
      const page = body["resources"] as { name: string }[];
      seen.push(...page.map(({ name }) => name));
      offset = body["offset"];
      offsets.push(offset);
      rows = page.length;
    }
    expect(offsets).toEqual([50, 100, 105, 105]);
    expect(new Set(seen).size).toBe(105);
  });

  it("in another order when told", async () => {
    emulator.configure({ pageOrder: "oldest-first" });
    expect(await names("?limit=2")).toEqual(["d1", "d2"]);
    emulator.configure({ pageOrder: "by-name" });
    expect(await names("?limit=3")).toEqual(["d1", "d10", "d100"]);
  });

  it("for up to 100 ids at once, and no more", async () => {
    const ids = emulator.deployments().map(({ id }) => id);
    const ask = (count: number) =>
      call(emulator, "GET", `/v2/deployments?limit=100&deployment_ids=${ids.slice(0, count).join(",")}`);
    expect((await ask(100)).body["resources"]).toHaveLength(100);
    expect(await ask(101)).toMatchObject({ status: 422, body: { detail: [{ type: "too_long" }] } });
  });
});

describe("GET /v2/deployments filters", () => {
  beforeEach(() => {
    emulator.create(minimal("chat"));
    emulator.create(minimal("chat-two", { source_config: { deployment_type: "dev" } }));
    emulator.create(minimal("search"));
    emulator.change("search", (record) => {
      record.status = "UNUSED";
      record.remote_reconciled = false;
      record.tag_value_ids = ["t1", "t2"];
      record.image_version = "2.0.0";
    });
  });

  it.each([
    ["name_contains=chat", ["chat-two", "chat"]],
    ["name_contains=Chat", []],
    ["status=UNUSED", ["search"]],
    ["status=READY", ["chat-two", "chat"]],
    ["remote_reconciled=false", ["search"]],
    ["tag_value_ids=t0,t2", ["search"]],
    ["tag_value_ids=t0", []],
    ["image_version=2.0.0", ["search"]],
    ["deployment_type=dev", ["chat-two"]],
    ["deployment_type=prod", ["search", "chat"]],
    ["deployment_ids=33333333-3333-4333-8333-333333333333", []],
    ["name_contains=chat&deployment_type=prod&remote_reconciled=true", ["chat"]],
  ])("by %s", async (query, expected) => {
    expect(await names(`?${query}`)).toEqual(expected);
  });

  it("by ids in any case", async () => {
    const id = emulator.deployment("chat")?.id ?? "";
    expect(await names(`?deployment_ids=${id.toUpperCase()}`)).toEqual(["chat"]);
  });

  it.each([
    ["limit=0", "greater_than_equal"],
    ["limit=101", "less_than_equal"],
    ["limit=ten", "int_parsing"],
    ["offset=-1", "greater_than_equal"],
    ["offset=1.5", "int_parsing"],
    ["remote_reconciled=yes", "bool_parsing"],
    ["deployment_type=free", "enum"],
    ["deployment_ids=chat", "uuid_parsing"],
    ["deployment_ids=", "uuid_parsing"],
    ["name=chat", "extra_forbidden"],
    ["status=READY&status=UNKNOWN", "repeated"],
  ])("refuse %s", async (query, type) => {
    expect(await call(emulator, "GET", `/v2/deployments?${query}`)).toMatchObject({
      status: 422,
      body: { detail: [{ type, loc: ["query", query.split("=")[0]] }] },
    });
  });
});

describe("repositories", () => {
  const integration = "11111111-1111-4111-8111-111111111111";
  const repository = {
    host_integration_id: integration,
    id: 7,
    name: "chat",
    owner: "acme",
    url: "https://code.example.com/acme/chat",
    default_branch: "main",
  };
  const path = `/v1/integrations/codehost/${integration}/repos`;

  it("are those that were seeded for the integration", async () => {
    expect((await call(emulator, "GET", path)).status).toBe(404);
    emulator.repositories(integration, [repository]);
    expect((await call(emulator, "GET", path)).body).toEqual([repository]);
  });

  it("of the second kind have a path of their own, once it is known", async () => {
    const second = await start({ serviceReposPath: "/v1/integrations/service/{integration_id}/repos" });
    second.repositories(integration, [repository], "service");
    const other = path.replace("codehost", "service");
    expect((await call(second, "GET", other)).body).toEqual([repository]);
    expect((await call(second, "GET", path)).status).toBe(404);
    expect((await call(emulator, "GET", other)).body).toEqual({ detail: "Not Found" });
  });
});

describe("a key of another tenant", () => {
  it("sees, makes and deletes that tenant's deployments alone", async () => {
    const shared = await start({ otherTenants: { "other-key": "00000000-0000-4000-8000-00000000000b" } });
    const { id } = shared.create(minimal("shared"));
    const as = { "X-Api-Key": "other-key" };
    expect((await call(shared, "GET", "/v2/deployments", undefined, as)).body["resources"]).toEqual([]);
    expect((await call(shared, "DELETE", `/v2/deployments/${id}`, undefined, as)).status).toBe(404);
    const made = await call(shared, "POST", "/v2/deployments", minimal("shared"), as);
    expect(made.body).toMatchObject({ name: "shared", tenant_id: "00000000-0000-4000-8000-00000000000b" });
    expect(shared.tenant("other-key").deployments()).toHaveLength(1);
    expect(shared.deployments().map((record) => record.id)).toEqual([id]);
  });
});
