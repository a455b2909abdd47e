import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { langsmithWith } from "../../../emulator";
import { bodies, bodyOf, call, created, deployed, nobody, post, repository, start } from "./support";

it("GET /v2/deployments finds by exact name, by part of it and by address, and refuses unknown filters (1.5)", async () => {
  const emulator = await start({ rollout: { polls: 0 } });
  for (const name of ["chat", "chat-two"]) await created(emulator, { ...bodies.github, name });
  const names = async (query: string) => {
    const { body } = await call(emulator, "GET", `/v2/deployments?${query}`);
    return (body["resources"] as { name: string }[]).map(({ name }) => name);
  };
  expect(await names("name=chat")).toEqual(["chat"]);
  expect(await names("name_contains=chat")).toEqual(["chat-two", "chat"]);
  const { body } = await call(emulator, "GET", "/v2/deployments?name=chat");
  const [{ url }] = body["resources"] as [{ url: string }];
  expect(await names(`url=${encodeURIComponent(url)}`)).toEqual(["chat"]);
  expect((await call(emulator, "GET", "/v2/deployments?nmae=chat")).status).toBe(422);
});

it.each([
  ["codehost", "github"],
  ["service", "forge/github"],
] as const)("repositories of %s are below %s (1.4)", async (host, path) => {
  const emulator = await start();
  const listed = { host_integration_id: nobody, id: 7, name: "chat", owner: "acme", url: repository };
  emulator.repositories(nobody, [listed], host);
  const get = (more: string) => call(emulator, "GET", `/v1/integrations/${more}`);
  expect((await get(`${path}/${nobody}/repos`)).body).toMatchObject([listed]);
  const integrations = host === "codehost" ? [{ id: nobody, installation_id: 1, name: "acme" }] : [];
  expect((await get("github/install")).body).toEqual(integrations);
});

describe("the listener of external_docker (2.1)", () => {
  const listener_id = "22222222-2222-4222-8222-222222222222";
  const known = { [listener_id]: ["agents"] };
  const in_ = (k8s_namespace: string) => ({ listener_config: { k8s_namespace } });
  const required = `Source configuration error: 'source_config.listener_id' is required for workspace with available listener IDs: ['${listener_id}']`;

  it.each<[what: string, listeners: Record<string, string[]>, config: object, refused?: string]>([
    ["must be named if the workspace has any", known, {}, required],
    ["must exist", known, { listener_id: nobody }, "is not in the workspace"],
    ["must have the namespace", known, { listener_id, ...in_("x") }, "namespace 'x' is not one of"],
    ["is accepted", known, { listener_id, ...in_("agents") }],
    ["cannot be named if the workspace has none", {}, { listener_id }, "is not in the workspace"],
    ["must be named for a namespace", {}, in_("agents"), "needs 'source_config.listener_id'"],
  ])("%s", async (_what, listeners, config, refused) => {
    const emulator = await start({ seed: { listeners } });
    const { status, body } = await post(emulator, bodyOf("external_docker", config));
    expect(status).toBe(refused === undefined ? 201 : 400);
    if (refused === undefined) expect(body).toMatchObject({ source_config: config });
    else expect(body["detail"]).toContain(refused);
    await created(emulator, { ...bodies.github, name: "built" });
  });
});

describe("what command-line clients use (1.1, 1.3)", () => {
  it("an archive must have been uploaded before a revision names it", async () => {
    const emulator = await start();
    const { send, patch } = await deployed(emulator, bodies.internal_source);
    const { upload_url, object_path } = (await send("/upload-url")).body;
    const revise = async (source_tarball_path: unknown) =>
      (await patch({ source_revision_config: { source_tarball_path } })).status;
    const upload = async (type: string) => {
      const headers = { "Content-Type": type, "X-Goog-Content-Length-Range": "0,209715200" };
      const body = gzipSync("archive");
      return (await fetch(String(upload_url), { method: "PUT", body, headers })).status;
    };
    expect(await revise(object_path)).toBe(400);
    expect(await upload("text/plain")).toBe(403);
    expect(await upload("application/gzip")).toBe(200);
    expect(await revise("elsewhere.tar.gz")).toBe(400);
    expect(await revise(object_path)).toBe(200);
    expect(emulator.uploaded("chat")).toEqual(gzipSync("archive"));
    const other = await deployed(emulator, { ...bodies.github, name: "built" });
    expect((await other.send("/upload-url")).status).toBe(400);
  });

  it("storage can require headers that only a client learns that offers to send them", async () => {
    const uploadHeaders = { "X-Amz-Tagging": "a=b" };
    const emulator = await start({ rules: langsmithWith({ uploadHeaders }) });
    const { send } = await deployed(emulator, bodies.internal_source);
    const offer = { supports_upload_headers: true };
    expect((await send("/upload-url")).body).not.toHaveProperty("upload_headers");
    const { upload_url, upload_headers } = (await send("/upload-url", offer)).body;
    expect(upload_headers).toEqual(uploadHeaders);
    const upload = async (more: Record<string, string>) => {
      const headers = { "Content-Type": "application/gzip", ...more };
      return (await fetch(String(upload_url), { method: "PUT", body: gzipSync("a"), headers })).status;
    };
    expect(await upload({ "X-Goog-Content-Length-Range": "0,209715200" })).toBe(403);
    expect(await upload(uploadHeaders)).toBe(200);
  });

  it("an older service accepts no body with the request for an upload URL", async () => {
    const emulator = await start({ rules: langsmithWith({ uploadOffer: "refused" }) });
    const { send } = await deployed(emulator, bodies.internal_source);
    expect((await send("/upload-url", { supports_upload_headers: true })).status).toBe(422);
    expect((await send("/upload-url")).status).toBe(200);
  });

  it("logs are read at the endpoints of both generations", async () => {
    const emulator = await start({ logs: { build: ["npm ci", "failed"] } });
    const { get, id, made } = await deployed(emulator, bodies.github);
    const revision = `revisions/${String(made["latest_revision_id"])}`;
    const lines = { logs: [{ message: "npm ci" }, { message: "failed" }] };
    expect((await get(`/${revision}/logs?type=build`)).body).toMatchObject(lines);
    const page = { logs: [{ message: "failed" }], next_offset: "1" };
    expect((await get(`/${revision}/logs?type=build&order=desc&limit=1`)).body).toMatchObject(page);
    expect((await get(`/${revision}/logs?type=deploy`)).body).toEqual({ logs: [], next_offset: null });
    expect((await get(`/${revision}/logs?type=build&level=ERROR`)).status).toBe(200);
    for (const query of ["", "?type=build&level=error"])
      expect((await get(`/${revision}/logs${query}`)).status).toBe(422);
    const old = (path: string) => call(emulator, "POST", `/v1/projects/${id}/${path}`, { limit: 10 });
    expect((await old(`${revision}/build_logs`)).body).toMatchObject(lines);
    expect((await old(`${revision}/deploy_logs`)).body).toMatchObject({ logs: [] });
  });
});
