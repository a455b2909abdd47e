import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { bodyOf, call, created, start } from "./support";

const list = async (url: string, headers: Record<string, string>) =>
  (await fetch(`${url}/v2/deployments`, { headers })).status;

it("a token is accepted as Bearer alone, the key in its own header alone, and a new token replaces it", async () => {
  const emulator = await start({ accessToken: "token" });
  const { url, apiKey } = emulator;
  expect(await list(url, { authorization: "Bearer token" })).toBe(200);
  expect(await list(url, { authorization: `Bearer ${apiKey}` })).toBe(401);
  expect(await list(url, { "x-api-key": apiKey })).toBe(200);
  expect(await list(url, { "x-api-key": "token" })).toBe(401);
  emulator.configure({ accessToken: "renewed" });
  expect(await list(url, { authorization: "Bearer token" })).toBe(401);
  expect(await list(url, { authorization: "Bearer renewed" })).toBe(200);
  const headers = emulator.requests().map((request) => request.headers["authorization"]);
  expect(new Set(headers)).toEqual(new Set(["***", undefined]));
});

it("without a token, the key is accepted as Bearer too", async () => {
  const { url, apiKey } = await start();
  expect(await list(url, { authorization: `Bearer ${apiKey}` })).toBe(200);
  expect(await list(url, { authorization: `Basic ${apiKey}` })).toBe(401);
});

it("below a path prefix is the service, and elsewhere a web page", async () => {
  const emulator = await start({ pathPrefix: "/api-host" });
  expect(emulator.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api-host$/);
  await created(emulator, bodyOf("internal_template"));
  expect(emulator.requestLines()).toEqual(["POST /v2/deployments 201"]);
  expect((await call(emulator, "GET", "/_emulator/deployments")).body).toHaveLength(1);
  const folder = await created(emulator, bodyOf("internal_source", {}, {}, { name: "folder" }));
  const { body } = await call(emulator, "POST", `/v2/deployments/${String(folder["id"])}/upload-url`);
  const headers = { "content-type": "application/gzip", "x-goog-content-length-range": "0,209715200" };
  const archive = gzipSync("x");
  const upload = await fetch(String(body["upload_url"]), { method: "PUT", headers, body: archive });
  expect(upload.status).toBe(200);
  const page = await fetch(`${new URL(emulator.url).origin}/v2/deployments`);
  expect(page.headers.get("content-type")).toBe("text/html");
});

it("without a path prefix, the service is at the root and below /api-host, as a control plane is", async () => {
  const emulator = await start();
  const key = { "x-api-key": emulator.apiKey };
  expect(await list(emulator.url, key)).toBe(200);
  expect(await list(`${emulator.url}/api-host`, key)).toBe(200);
  expect(await list(`${emulator.url}/other`, key)).toBe(404);
});
