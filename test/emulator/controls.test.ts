import { request as httpRequest, Agent } from "node:http";
import { beforeEach, describe, expect, it } from "vitest";
import { standard, type Emulator, type JsonObject, type Rules } from "../../emulator";
import { call, created, list, readOne, minimal, start } from "./support";

let emulator: Emulator;
beforeEach(async () => {
  emulator = await start();
});

describe("somebody else", () => {
  it("changes a deployment, with or without a revision", async () => {
    emulator.create(minimal());
    const before = emulator.deployment("chat");
    emulator.change("chat", (record) => {
      record.source_config["build_on_push"] = true;
      record.source_revision_config["repo_ref"] = "other";
    });
    expect(await readOne(emulator)).toMatchObject({
      source_config: { build_on_push: true },
      source_revision_config: { repo_ref: "other" },
      latest_revision_id: before?.latest_revision_id,
    });
    const revised = emulator.change("chat", () => {}, { revision: true });
    expect(revised.revisions).toHaveLength(2);
    expect(revised.updated_at > String(before?.updated_at)).toBe(true);
  });

  it("removes a deployment", () => {
    emulator.create(minimal());
    emulator.remove("chat");
    expect(emulator.deployment("chat")).toBeUndefined();
    expect(() => emulator.remove("chat")).toThrow("no deployment 'chat'");
  });
});

describe("the log", () => {
  it("keeps requests in order, with their bodies, and without credentials", async () => {
    const secrets = [{ name: "KEY", value: "v" }];
    await created(emulator, minimal("chat", { secrets }));
    await list(emulator, "?limit=5");
    await call(emulator, "GET", "/_emulator/requests");
    expect(emulator.requestLines()).toEqual(["POST /v2/deployments 201", "GET /v2/deployments 200"]);
    expect(emulator.requests()[0]).toMatchObject({ body: { secrets }, headers: { "x-api-key": "***" } });
    expect(emulator.requests()[1]).toMatchObject({ query: { limit: "5" }, body: undefined, status: 200 });
    expect(emulator.peakInFlight).toBe(1);
    emulator.clearRequests();
    expect(emulator.requestLines()).toEqual([]);
  });
});

describe("the control routes", () => {
  const control = (method: string, path: string, body?: unknown) =>
    call(emulator, method, `/_emulator${path}`, body);

  it("plan and cancel faults", async () => {
    const fault = { when: { method: "GET", path: "/v2" }, times: "always", how: { status: 500 } };
    expect((await control("POST", "/faults", fault)).status).toBe(201);
    expect((await call(emulator, "GET", "/v2/deployments")).status).toBe(500);
    expect((await control("DELETE", "/faults")).status).toBe(204);
    expect((await call(emulator, "GET", "/v2/deployments")).status).toBe(200);
  });

  it.each([
    { how: { stauts: 500 } },
    { how: { status: 500, bdy: "" } },
    { how: { status: 99 } },
    { how: { hang: false } },
    { how: { reset: "during" } },
    { how: { status: 500 }, when: { url: "/" } },
    { how: { status: 500 }, times: 0 },
    { how: { status: 500 }, time: 1 },
    {},
  ])("refuse the unknown fault %j", async (fault) => {
    expect((await control("POST", "/faults", fault)).status).toBe(422);
    expect((await call(emulator, "GET", "/v2/deployments")).status).toBe(200);
  });

  it("show requests and deployments", async () => {
    await created(emulator);
    expect((await control("GET", "/requests")).body).toMatchObject([{ method: "POST", status: 201 }]);
    expect((await control("GET", "/deployments")).body).toMatchObject([{ name: "chat", revisions: [{}] }]);
  });

  it("change and remove a deployment by its name or id", async () => {
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

  it("create a deployment that is ready at once, held to the same rules", async () => {
    const reply = await control("POST", "/deployments", minimal());
    expect(reply).toMatchObject({ status: 201, body: { name: "chat", status: "READY" } });
    expect((await control("POST", "/deployments", minimal())).status).toBe(409);
    expect((await control("POST", "/deployments", {})).status).toBe(422);
    expect((await list(emulator)).map(({ name }) => name)).toEqual(["chat"]);
  });

  it("hold a running rollout, and finish it", async () => {
    await created(emulator);
    expect((await control("POST", "/deployments/chat/hold")).status).toBe(200);
    for (let polls = 0; polls < 5; polls++)
      expect(await readOne(emulator)).toMatchObject({ active_revision_id: null });
    expect((await control("POST", "/deployments/chat/finish")).status).toBe(200);
    expect(await readOne(emulator)).toMatchObject({ status: "READY" });
    expect((await control("POST", "/deployments/talk/finish")).status).toBe(404);
  });

  it("let builds fail, each with its log", async () => {
    const service = await start({ dialect: "langsmith" });
    const tell = (method: string, path: string, body?: unknown) => call(service, method, path, body);
    const revisionOf = async (id: unknown) => {
      const { body } = await tell("GET", `/v2/deployments/${String(id)}/revisions`);
      return (body["resources"] as JsonObject[])[0]!;
    };
    const logOf = async (id: unknown, revision: JsonObject) => {
      const path = `/v1/projects/${String(id)}/revisions/${String(revision["id"])}/build_logs`;
      return ((await tell("POST", path, {})).body["logs"] as JsonObject[]).map(({ message }) => message);
    };

    const buildLog = ["step 1", "no such file: graph.json"];
    const failing = { polls: 0, fails: "BUILD_FAILED", buildLog, reason: "the build ended with exit code 1" };
    const changed = await tell("PATCH", "/_emulator/settings", { rollout: failing });
    expect(changed).toMatchObject({ status: 200, body: { rollout: failing } });
    const listener = (await tell("POST", "/_emulator/listeners", { compute_id: "a", namespaces: ["n"] }))
      .body;
    const where = { listener_id: listener["id"]!, listener_config: { k8s_namespace: "n" } };
    const source_config = { ...where, resource_spec: {} };
    const body = minimal("chat", { source: "external_docker", source_config });
    const { id } = await created(service, body);
    const first = await revisionOf(id);
    expect(first).toMatchObject({ status: "BUILD_FAILED", status_message: failing.reason });
    expect(await logOf(id, first)).toEqual(failing.buildLog);

    await tell("PATCH", "/_emulator/settings", { rollout: "never" });
    await tell("PATCH", "/_emulator/deployments/chat", { new_revision: true });
    const ending = { fails: "BUILD_FAILED", buildLog: ["out of disk"] };
    expect((await tell("POST", "/_emulator/deployments/chat/finish", ending)).status).toBe(200);
    expect(await logOf(id, await revisionOf(id))).toEqual(["out of disk"]);
    expect(await logOf(id, first)).toEqual(failing.buildLog);
  });

  it.each([
    { rolout: "never" },
    { rollout: "later" },
    { rollout: {} },
    { rollout: { polls: -1 } },
    { rollout: { polls: 1, fail: true } },
    { rollout: [1] },
    { rollout: { byName: { chat: "later" } } },
    { deletion: ["READY"] },
    { secrets: "hidden" },
    { latency: "20ms" },
    { logs: { builds: [] } },
  ])("refuse the unknown setting %j, and change nothing", async (settings) => {
    const before = (await control("GET", "/settings")).body;
    expect((await control("PATCH", "/settings", settings)).status).toBe(422);
    expect((await control("GET", "/settings")).body).toEqual(before);
  });

  it("tell what is planned to fail, and forget requests", async () => {
    const fault = { when: { method: "GET" }, times: 2, how: { status: 503 } };
    await control("POST", "/faults", fault);
    await call(emulator, "GET", "/v2/deployments");
    expect((await control("GET", "/faults")).body).toEqual([{ ...fault, hits: 1 }]);
    expect((await control("DELETE", "/requests")).status).toBe(204);
    expect(emulator.requests()).toEqual([]);
  });

  it("keep repositories and tracing projects", async () => {
    const id = "6f0e6c1a-1f0b-4c53-9c3e-3f1c9a0d2b11";
    const repositories = [{ owner: "acme", name: "chat", url: "https://code.example.com/acme/chat" }];
    expect((await control("PUT", `/repositories/${id}`, { repositories })).status).toBe(204);
    const listed = await call(emulator, "GET", `/v1/integrations/codehost/${id}/repos`);
    expect(JSON.stringify(listed.body)).toContain("code.example.com/acme/chat");
    expect((await control("POST", "/tracing-projects", { name: "old" })).status).toBe(201);
    expect((await control("GET", "/tracing-projects")).body).toEqual(["old"]);
    expect((await control("DELETE", "/tracing-projects/old")).status).toBe(204);
  });

  it("act on the tenant of the key", async () => {
    const shared = await start({ otherTenants: { "other-key": "00000000-0000-4000-8000-00000000000b" } });
    await call(shared, "POST", "/_emulator/deployments", minimal(), { "x-api-key": "other-key" });
    expect(shared.deployments()).toEqual([]);
    expect(shared.tenant("other-key").deployments()).toMatchObject([{ name: "chat" }]);
  });

  it("need the key, and refuse what is not one of them", async () => {
    expect((await fetch(`${emulator.url}/_emulator/requests`)).status).toBe(401);
    expect((await control("GET", "/nothing")).status).toBe(404);
  });
});

describe("the server", () => {
  it("keeps a connection for the next request", async () => {
    const agent = new Agent({ keepAlive: true });
    const reused = () =>
      new Promise<boolean>((resolve, reject) => {
        const request = httpRequest(`${emulator.url}/v2/deployments`, { agent }, (response) => {
          response.resume().on("end", () => setImmediate(() => resolve(request.reusedSocket)));
        });
        request.on("error", reject).end();
      });
    expect([await reused(), await reused()]).toEqual([false, true]);
    agent.destroy();
  });

  it("ends every connection when it is closed, and may be closed twice", async () => {
    const slow = emulator.fail({ how: { slowMs: 60_000 } });
    const request = expect(call(emulator, "GET", "/v2/deployments")).rejects.toThrow();
    await slow.firstHit;
    await Promise.all([emulator.close(), emulator.close()]);
    await request;
    await expect(fetch(emulator.url)).rejects.toThrow();
  });
});

describe("other rules", () => {
  const path = "/v2/deployments/{deployment_id}";
  const rules: Rules = {
    ...standard,
    endpoints: {
      ...standard.endpoints,
      getDeployment: { method: "GET", path },
      listRevisions: { method: "GET", path: `${path}/revisions` },
      getRevision: { method: "GET", path: `${path}/revisions/{revision_id}` },
    },
    unknownKeys: "ignore",
    patch: {
      null: "keeps",
      emptySecrets: "keeps",
      emptySecretReferences: "clears",
      revisionFrom: [
        { path: "source_config.resource_spec", when: "notNull" },
        { path: "secrets", when: "notNull" },
      ],
    },
    sources: {
      ...standard.sources,
      codehost: { ...standard.sources["codehost"]!, required: ["source_revision_config.repo_ref"] },
    },
  };

  it("can show single deployments and revisions, and ignore unknown keys", async () => {
    const other = await start({ rules });
    const { id, latest_revision_id } = await created(other, minimal("chat", { colour: "red" }));
    const get = async (more = "") => (await call(other, "GET", `/v2/deployments/${String(id)}${more}`)).body;
    const one = `/revisions/${String(latest_revision_id)}`;
    expect(await get(one)).toMatchObject({ id: latest_revision_id, status: "CREATING" });
    expect(await get()).toMatchObject({ name: "chat", status: "READY" });
    expect(await get("/revisions")).toMatchObject({ resources: [{ status: "DEPLOYED" }], offset: 1 });
    expect(await get()).not.toHaveProperty("colour");
  });

  it("can keep what null would clear, and make revisions from other fields", async () => {
    const other = await start({ rules });
    const secrets = [{ name: "KEY", value: "v" }];
    const { id } = await created(other, minimal("chat", { secrets, source_config: { repo_url: "x" } }));
    const patch = (body: JsonObject) => call(other, "PATCH", `/v2/deployments/${String(id)}`, body);
    await patch({ source_config: { repo_url: null, resource_spec: null }, source_revision_config: {} });
    expect(other.deployment("chat")).toMatchObject({ source_config: { repo_url: "x" }, revisions: [{}] });
    await patch({ secrets: [] });
    expect(other.deployment("chat")).toMatchObject({ secrets, revisions: [{}, {}] });
  });

  it("can require fields for a source", async () => {
    const other = await start({ rules });
    const detail =
      "Source configuration error: 'source_revision_config.repo_ref' is required for 'codehost' source";
    expect(
      await call(other, "POST", "/v2/deployments", minimal("chat", { source: "codehost" })),
    ).toMatchObject({
      status: 400,
      body: { detail },
    });
  });
});
