/** Gateways that compress what nobody asked them to compress. */
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { decoded, largestResponse } from "../../../provider/control-plane/content-encoding";
import { connect, failing, post } from "../../support/http";
import { serve, type Handler } from "../../support/server";

const packers: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  gzip: gzipSync,
  deflate: deflateSync,
  "GZip ": gzipSync,
  br: brotliCompressSync,
  identity: (bytes: Uint8Array) => bytes,
  "": (bytes: Uint8Array) => bytes,
};
const names = Object.keys(packers);

const json = { "content-type": "application/json" };
const sending =
  (status: number, body: Uint8Array, encoding: string | undefined, more = json): Handler =>
  (response) => {
    if (encoding !== undefined) response.setHeader("content-encoding", encoding);
    response.writeHead(status, more).end(body);
  };
const body = { name: "chät", secrets: [] };
const bytes = Buffer.from(JSON.stringify(body));

it("every request asks for a response without compression", async () => {
  const server = await serve(sending(200, bytes, undefined));
  const { call, probe } = connect(server.url);
  await call();
  await probe(`${server.url}/ok`);
  expect(server.asked.map(({ headers }) => headers["accept-encoding"])).toEqual(["identity", "identity"]);
});

describe("a response that is compressed all the same", () => {
  it.each(names)("is unpacked: %s", async (name) => {
    const result = await decoded(packers[name]!(bytes), name);
    expect(Buffer.from(result as Uint8Array)).toEqual(bytes);
  });

  it("says why the service refuses, and what a gateway's page has as its title", async () => {
    const detail = gzipSync(JSON.stringify({ detail: "the key has expired" }));
    expect((await failing(sending(401, detail, "gzip"))).error).toMatchObject({
      kind: "unauthorized",
      message: "GET /v2/deployments answered 401 Unauthorized: the key has expired",
    });
    const page = brotliCompressSync("<html><title>No route</title></html>");
    const { error } = await failing(sending(404, page, "br", { "content-type": "text/html" }), post);
    expect(error.kind).toBe("foreign");
    expect(error.message).toContain("not from the service: No route");
  });
});

describe("a response that cannot be unpacked", () => {
  const problem = "a response that is damaged, too large or in an encoding that cannot be read";
  const noise = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58, 0x99, 0x00, 0x00]);

  it("in an unknown encoding fails with its name, and a POST counts as ambiguous", async () => {
    const { error, server } = await failing(sending(201, noise, "zstd"), post);
    expect(error).toMatchObject({
      isAmbiguous: true,
      message: `POST /v2/deployments answered 201 with ${problem}: zstd`,
    });
    expect(error.advice).toContain("does not compress them");
    expect(server.asked).toHaveLength(1);
  });

  it("in an unknown encoding is not taken for a deployment that does not exist", async () => {
    const { error } = await failing(sending(404, noise, "zstd"), post);
    expect(error).toMatchObject({ kind: "foreign", isAmbiguous: false, status: 404 });
    expect(error.message).toContain(`404 Not Found: with ${problem}: zstd`);
  });

  it.each<[string, Uint8Array, string]>([
    ["truncated gzip", gzipSync(bytes).subarray(0, 20), "gzip"],
    ["damaged gzip", Buffer.concat([gzipSync(bytes).subarray(0, 14), Buffer.alloc(20, 0xff)]), "gzip"],
    ["truncated br", brotliCompressSync(Buffer.alloc(5_000, "añ")).subarray(0, 9), "br"],
    ["what is no deflate", noise, "deflate"],
  ])("is asked for again: %s", async (_name, sent, encoding) => {
    const server = await serve((response, asked, count) => {
      if (count === 1) sending(200, sent, encoding)(response, asked, count);
      else sending(200, bytes, undefined)(response, asked, count);
    });
    expect(await connect(server.url).call()).toMatchObject({ body });
    const { error } = await failing(sending(200, sent, encoding), post);
    expect(error).toMatchObject({ kind: "unreadable", isAmbiguous: true });
    expect(error.message).toContain(`${problem}: ${encoding}`);
  });

  it("because it would be too large is given up", async () => {
    const bomb = gzipSync(Buffer.alloc(largestResponse + 1), { level: 1 });
    const { error } = await failing(sending(200, bomb, "gzip"), post);
    expect(error.message).toContain(problem);
  });
});
