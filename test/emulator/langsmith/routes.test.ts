import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { langsmithWith, type Emulator } from "../../../emulator";
import { bodies, bodyOf, call, created, deployed, image, integration, post, refusal, start } from "./support";

const nobody = "99999999-9999-4999-8999-999999999999";

describe("headers (3)", () => {
  it("name the workspace where the key does not", async () => {
    const emulator = await start({ tenantId: integration });
    const list = (headers: Record<string, string>) =>
      call(emulator, "GET", "/v2/deployments", undefined, headers);
    const { status, body } = await list({});
    expect(status).toBe(403);
    expect(body["detail"]).toContain("requires workspace specification");
    expect((await list({ "X-Tenant-Id": integration })).status).toBe(200);
    expect((await list({ "X-Tenant-Id": nobody })).status).toBe(403);
  });

  it("are of no use to an organization that does not have the service", async () => {
    const emulator = await start({ enabled: false });
    expect(await call(emulator, "GET", "/v2/deployments")).toMatchObject(
      refusal("LangSmith Deployment is not enabled for this organization", 403),
    );
  });
});

describe("GET /v2/deployments (1.5)", () => {
  it("finds by an exact name and by a part of it", async () => {
    const emulator = await start();
    for (const name of ["chat", "chat-two"]) await created(emulator, { ...bodies.github, name });
    const names = async (query: string) => {
      const { body } = await call(emulator, "GET", `/v2/deployments?${query}`);
      return (body["resources"] as { name: string }[]).map(({ name }) => name);
    };
    expect(await names("name=chat")).toEqual(["chat"]);
    expect(await names("name_contains=chat")).toEqual(["chat-two", "chat"]);
    expect(await names("deployment_type=dev")).toHaveLength(2);
    expect(await names("deployment_type=prod")).toEqual([]);
  });

  it("does not take what it does not know, unless told to ignore it", async () => {
    const path = "/v2/deployments?nmae=chat";
    expect((await call(await start(), "GET", path)).status).toBe(422);
    const emulator = await start({ rules: langsmithWith({ unknownKeys: "ignore" }) });
    expect((await call(emulator, "GET", path)).status).toBe(200);
  });

  it("is not found by a path in the place of an id", async () => {
    expect(await call(await start(), "GET", "/v2/deployments/chat")).toMatchObject({
      status: 422,
      body: { detail: [{ type: "uuid_parsing", loc: ["path", "deployment_id"] }] },
    });
  });
});

it("the address of a github deployment is there when its first revision is (1.6)", async () => {
  const { get, made } = await deployed(await start({ rollout: { polls: 1 } }), bodies.github);
  expect(made).toMatchObject({ source_config: { custom_url: null } });
  await get();
  const address = expect.stringMatching(/^https:\/\/chat-[0-9a-f]+\.us\.langgraph\.app$/) as string;
  expect((await get()).body).toMatchObject({ source_config: { custom_url: address } });
});

describe("integrations (1.4)", () => {
  const listed = {
    host_integration_id: integration,
    id: 7,
    name: "chat",
    owner: "acme",
    default_branch: "main",
  };

  it.each([
    ["codehost", "github"],
    ["service", "forge/github"],
  ] as const)("of %s are below %s", async (host, path) => {
    const emulator = await start();
    emulator.repositories(integration, [{ ...listed, url: "https://github.com/acme/chat" }], host);
    const get = (more: string) => call(emulator, "GET", `/v1/integrations/${path}${more}`);
    expect((await get("/install")).body).toEqual([{ id: integration, installation_id: 1, name: "acme" }]);
    expect((await get(`/${integration}/repos`)).body).toMatchObject([listed]);
  });
});

describe("listeners (1.4, 2.1)", () => {
  const path = "/v2/listeners";
  const body = {
    compute_type: "k8s",
    compute_id: "cluster-1",
    compute_config: { k8s_namespaces: ["agents"] },
  };

  it("are made, read, changed and deleted", async () => {
    const emulator = await start();
    const made = await call(emulator, "POST", path, body);
    expect(made).toMatchObject({ status: 201, body });
    const own = `${path}/${String(made.body["id"])}`;
    expect((await call(emulator, "GET", path)).body).toMatchObject({ resources: [body], offset: 1 });
    expect((await call(emulator, "PATCH", own, { version: "2" })).body).toMatchObject({
      ...body,
      version: "2",
    });
    expect((await call(emulator, "PATCH", own, { compute_id: "other" })).status).toBe(422);
    expect((await call(emulator, "DELETE", own)).status).toBe(204);
    expect(await call(emulator, "GET", own)).toMatchObject(
      refusal(`Listener ID ${String(made.body["id"])} not found.`, 404),
    );
  });

  it("are one for each cluster of a workspace", async () => {
    const emulator = await start();
    await call(emulator, "POST", path, body);
    const { status, body: detailed } = await call(emulator, "POST", path, body);
    expect(status).toBe(409);
    expect(detailed["detail"]).toMatch(
      /^Listener for LangSmith workspace ID '[^']+' and compute ID 'cluster-1' already exists\.$/,
    );
  });

  const docker = (emulator: Emulator, config: Record<string, unknown>) =>
    post(emulator, bodyOf("external_docker", config));

  it("must be named by external_docker where there are any", async () => {
    const emulator = await start();
    const listener_id = emulator.listener("cluster-1", ["agents"]);
    expect(await docker(emulator, {})).toMatchObject(
      refusal(
        `Source configuration error: 'source_config.listener_id' is required for workspace with available listener IDs: ['${listener_id}']`,
      ),
    );
    expect((await docker(emulator, { listener_id: nobody })).status).toBe(400);
    expect((await docker(emulator, { listener_id, listener_config: { k8s_namespace: "x" } })).status).toBe(
      400,
    );
    const config = { listener_id, listener_config: { k8s_namespace: "agents" } };
    expect(await docker(emulator, config)).toMatchObject({ status: 201, body: { source_config: config } });
    await created(emulator, { ...bodies.github, name: "built" });
  });

  it("cannot be named where there are none", async () => {
    const emulator = await start();
    expect((await docker(emulator, { listener_id: nobody })).status).toBe(400);
    expect((await docker(emulator, { listener_config: { k8s_namespace: "agents" } })).status).toBe(400);
  });
});

describe("what command-line clients use (1.1, 1.3)", () => {
  it("pushes an image, by a token for internal_docker only", async () => {
    const emulator = await start();
    const { post: send, patch } = await deployed(emulator, bodies.internal_docker);
    const { status, body } = await send("/push-token");
    expect({ status, keys: Object.keys(body) }).toEqual({ status: 200, keys: ["token", "registry_url"] });
    const revision = { revision_source: "internal_docker", source_revision_config: { image_uri: image } };
    expect((await patch(revision)).status).toBe(200);
    const other = await deployed(emulator, { ...bodies.github, name: "built" });
    const refused = await other.post("/push-token");
    expect(refused.status).toBe(400);
    expect(refused.body["detail"]).toContain("only available for 'internal_docker' source deployments");
  });

  it("uploads an archive, which a revision may name when it is there", async () => {
    const emulator = await start();
    const { post: send, patch } = await deployed(emulator, bodies.internal_source);
    const { body } = await send("/upload-url");
    const revise = (source_tarball_path: unknown) =>
      patch({ source_revision_config: { source_tarball_path } });
    const upload = (type: string) =>
      fetch(String(body["upload_url"]), {
        method: "PUT",
        body: gzipSync("archive"),
        headers: { "Content-Type": type, "X-Goog-Content-Length-Range": "0,209715200" },
      });
    expect((await revise(body["object_path"])).status).toBe(400);
    expect((await upload("text/plain")).status).toBe(403);
    expect((await upload("application/gzip")).status).toBe(200);
    expect((await revise("elsewhere.tar.gz")).status).toBe(400);
    expect((await revise(body["object_path"])).status).toBe(200);
    const other = await deployed(emulator, { ...bodies.github, name: "built" });
    expect((await other.post("/upload-url")).status).toBe(400);
  });

  it("counts free deployments", async () => {
    const emulator = await start();
    await created(emulator, bodyOf("github", { deployment_type: "dev_free" }, {}, { name: "free" }));
    await created(emulator, bodies.github);
    expect((await call(emulator, "GET", "/v2/deployments/free-count")).body).toEqual({ count: 1 });
  });

  it("reads the logs of the script, by the paths of both generations", async () => {
    const emulator = await start({ logs: { build: ["npm ci", "failed"] } });
    const { get, id, made } = await deployed(emulator, bodies.github);
    const revision = `revisions/${String(made["latest_revision_id"])}`;
    const lines = { logs: [{ message: "npm ci" }, { message: "failed" }] };
    expect((await get(`/${revision}/logs?type=build`)).body).toMatchObject(lines);
    expect((await get("/logs?type=deploy")).body).toEqual({ logs: [], next_offset: null });
    expect((await get("/logs")).status).toBe(422);
    const v1 = (path: string) => call(emulator, "POST", `/v1/projects/${id}/${path}`, { limit: 10 });
    expect((await v1(`${revision}/build_logs`)).body).toMatchObject(lines);
    expect((await v1(`${revision}/deploy_logs`)).body).toMatchObject({ logs: [] });
    expect((await v1("deploy_logs")).status).toBe(200);
  });
});
