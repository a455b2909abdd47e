import { beforeEach, describe, expect, it } from "vitest";
import type { Emulator } from "../../emulator";
import { call, list, minimal, nobody, start } from "./support";

let emulator: Emulator;
beforeEach(async () => {
  emulator = await start();
});

const names = async (query = "") => (await list(emulator, query)).map(({ name }) => name);

describe("GET /v2/deployments", () => {
  beforeEach(() => {
    for (let number = 1; number <= 105; number += 1) emulator.create(minimal(`d${number}`));
  });

  it("returns 20 by default, newest first", async () => {
    expect(await names()).toEqual(Array.from({ length: 20 }, (_, index) => `d${105 - index}`));
  });

  it("a listing accepts up to 100 ids", async () => {
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
    ["status=READY", ["chat-two", "chat"]],
    ["remote_reconciled=false", ["search"]],
    ["tag_value_ids=t0,t2", ["search"]],
    ["image_version=2.0.0", ["search"]],
    ["deployment_type=dev", ["chat-two"]],
    [`deployment_ids=${nobody}`, []],
    ["name_contains=chat&deployment_type=prod&remote_reconciled=true", ["chat"]],
  ])("by %s", async (query, expected) => {
    expect(await names(`?${query}`)).toEqual(expected);
  });

  it("by ids in upper or lower case", async () => {
    const id = emulator.deployment("chat")?.id ?? "";
    expect(await names(`?deployment_ids=${id.toUpperCase()}`)).toEqual(["chat"]);
  });

  it.each([
    ["limit=0", "greater_than_equal"],
    ["limit=101", "less_than_equal"],
    ["offset=-1", "greater_than_equal"],
    ["offset=1.5", "int_parsing"],
    ["remote_reconciled=yes", "bool_parsing"],
    ["deployment_type=free", "enum"],
    ["deployment_ids=chat", "uuid_parsing"],
    ["name=chat", "extra_forbidden"],
    ["status=READY&status=UNKNOWN", "repeated"],
  ])("refuses the query %s", async (query, type) => {
    expect(await call(emulator, "GET", `/v2/deployments?${query}`)).toMatchObject({
      status: 422,
      body: { detail: [{ type, loc: ["query", query.split("=")[0]] }] },
    });
  });
});

describe("repositories", () => {
  const repository = {
    ...{ host_integration_id: nobody, id: 7, name: "chat", owner: "acme", default_branch: "main" },
    url: "https://code.example.com/acme/chat",
  };
  const path = `/v1/integrations/codehost/${nobody}/repos`;

  it("are listed for the integration that has them", async () => {
    expect((await call(emulator, "GET", path)).status).toBe(404);
    emulator.repositories(nobody, [repository]);
    expect((await call(emulator, "GET", path)).body).toEqual([repository]);
  });

  it("of the second kind have their own path, if it is configured", async () => {
    const second = await start({ serviceReposPath: "/v1/integrations/service/{integration_id}/repos" });
    second.repositories(nobody, [repository], "service");
    const other = path.replace("codehost", "service");
    expect((await call(second, "GET", other)).body).toEqual([repository]);
    expect((await call(second, "GET", path)).status).toBe(404);
    expect((await call(emulator, "GET", other)).body).toEqual({ detail: "Not Found" });
  });
});
