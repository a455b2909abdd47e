/** Connections that fail before anything is sent, to real servers: told at once, and never "perhaps created". */
import { createServer as createHttpServer } from "node:http";
import { createSecureServer } from "node:http2";
import { createServer as createHttpsServer } from "node:https";
import { connect as connectTo, createServer as createTcpServer, type Server } from "node:net";
import { describe, expect, it, vi } from "vitest";
import { adviceFor } from "../../../provider/errors/advice";
import { RecordingClock } from "../../support/clock";
import { connect, failureOf, get, post } from "../../support/http";
import { limitsOf } from "../../support/limits";
import { listening, tunnel } from "../../support/server";
import { certified } from "../../support/tls";

const trusted = certified("trusted");
const wantsCertificate = { ...trusted, ca: trusted.cert, requestCert: true, rejectUnauthorized: true };

const tcp = (each: Parameters<typeof createTcpServer>[1]) => createTcpServer(each);

const weak = "DEFAULT:@SECLEVEL=0";
const onlyHttp2 = () => createSecureServer({ ...trusted, allowHTTP1: false });
const plain = () => createHttpServer((_, response) => response.end("{}"));
const handshakes: readonly [string, () => Server][] = [
  ["speaks only HTTP/2", onlyHttp2],
  [
    "wants a client certificate, with TLS 1.2",
    () => createHttpsServer({ ...wantsCertificate, maxVersion: "TLSv1.2" }),
  ],
  [
    "wants a client certificate, with TLS 1.3",
    () => createHttpsServer({ ...wantsCertificate, minVersion: "TLSv1.3" }),
  ],
  [
    "supports only TLS 1.1",
    () => createHttpsServer({ ...trusted, ...{ minVersion: "TLSv1", maxVersion: "TLSv1.1" }, ciphers: weak }),
  ],
  ["speaks plain HTTP", plain],
  ["is no web server", () => tcp((socket) => socket.end("SSH-2.0-x\r\n"))],
];

describe.each([
  ["directly", false],
  ["through a proxy", true],
])("%s", (_, isProxied) => {
  const optionsFor = async () => {
    if (!isProxied) return {};
    const httpsProxy = `http://127.0.0.1:${await listening(tunnel())}`;
    return { proxies: { httpsProxy } };
  };

  it.each(handshakes)("a server that %s is reported at once, and nothing was done", async (_, make) => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    const { call, clock } = connect(`https://localhost:${await listening(make())}`, await optionsFor());
    const error = await failureOf(call(post));
    expect(error).toMatchObject({ kind: "unreachable", isAmbiguous: false });
    expect(error.message).toMatch(/^POST .* could not reach https:\/\/.*: the TLS handshake failed \(.+\)$/);
    expect(adviceFor(error)).toMatch(/HTTP\/2, a client certificate, or a TLS older than 1\.2/);
    expect(clock.slept).toEqual([]);
  });

  it.each([
    ["expired", /renew/],
    ["other-name", /NODE_EXTRA_CA_CERTS/],
    ["self-signed", /NODE_EXTRA_CA_CERTS/],
    ["trusted", /NODE_EXTRA_CA_CERTS/],
  ] as const)(
    "a certificate that is not valid is reported at once, with what helps: %s",
    async (certificate, advice) => {
      // Nothing here trusts the authority of the tests.
      const server = createHttpsServer(certified(certificate));
      const { call, clock } = connect(`https://localhost:${await listening(server)}`, await optionsFor());
      const error = await failureOf(call(post));
      expect(error).toMatchObject({ kind: "untrusted", isAmbiguous: false });
      expect(adviceFor(error)).toMatch(advice);
      expect(clock.slept).toEqual([]);
    },
  );

  it("a server that ends each connection before the handshake is tried a few times, and nothing was done", async () => {
    const server = tcp((socket) => socket.once("data", () => socket.destroy()).on("error", () => undefined));
    const { call, clock } = connect(`https://localhost:${await listening(server)}`, await optionsFor());
    const error = await failureOf(call(post));
    expect(error).toMatchObject({ kind: "unreachable", isAmbiguous: false });
    expect(error.message).toMatch(/ could not reach https:\/\/localhost/);
    expect(clock.slept.length).toBeLessThan(5);
  });

  it("a server that never answers the handshake is no server that may have done something", async () => {
    const port = await listening(tcp(() => undefined));
    const options = { requestTimeout: 200, ...(await optionsFor()) };
    const error = await failureOf(connect(`https://localhost:${port}`, options).call(post));
    expect(error).toMatchObject({ kind: "timeout", isAmbiguous: false });
    expect(error.message).toMatch(/ could not connect to https:\/\/localhost:\d+ within 0\.2s/);
  });
});

it("a connection that breaks with a TLS alert once a request was sent may have done it", async () => {
  let corrupt: () => void = () => undefined;
  // The record cannot be decrypted, so the server ends the connection with an alert.
  const server = createHttpsServer(trusted, () => corrupt());
  const inner = await listening(server);
  const between = tcp((client) => {
    const service = connectTo(inner, "127.0.0.1");
    for (const each of [client, service]) each.on("error", () => undefined);
    client.pipe(service).pipe(client);
    corrupt = () => void service.write(Buffer.from(`1703030020${"00".repeat(32)}`, "hex"));
  });
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  const { call } = connect(`https://localhost:${await listening(between)}`, {});
  const error = await failureOf(call(post));
  expect(error).toMatchObject({ kind: "unreachable", isAmbiguous: true });
  expect(error.message).toMatch(/ lost the connection to https:.*ALERT/);
});

it("Ctrl-C ends a request at once that still waits for its connection", async () => {
  const port = await listening(tcp(() => undefined));
  const user = new AbortController();
  const clock = new RecordingClock();
  const { http } = connect(`https://localhost:${port}`, { clock });
  const failure = failureOf(
    http.call({ ...get, isOnce: true }, limitsOf(clock, { signal: user.signal }).limits),
  );
  await new Promise((resolve) => setImmediate(resolve));
  user.abort();
  expect(await failure).toMatchObject({ kind: "interrupted", isAmbiguous: false });
});

describe("a proxy", () => {
  const through = async (proxy: Server, options = {}) => {
    const httpsProxy = `http://127.0.0.1:${await listening(proxy)}`;
    return connect("https://service.example.com", { proxies: { httpsProxy }, ...options });
  };

  it.each([403, 404, 500, 502, 503])("that refuses to connect with %i has done nothing", async (status) => {
    const { call } = await through(
      createHttpServer().on("connect", (_, client) => client.end(`HTTP/1.1 ${status} No\r\n\r\n`)),
    );
    const error = await failureOf(call(post));
    expect(error).toMatchObject({ kind: "unreachable", isAmbiguous: false });
    expect(error.message).toContain(
      `could not reach https://service.example.com: the proxy answered ${status}`,
    );
  });

  it.each<[string, string]>([
    ["closes the connection", ""],
    ["answers something else", "nonsense\r\n\r\n"],
  ])("that %s in place of a tunnel is tried a few times, and has done nothing", async (_, text) => {
    let asked = 0;
    const { call } = await through(
      createHttpServer().on("connect", (_, client) => {
        asked++;
        client.end(text);
      }),
    );
    expect(await failureOf(call(post))).toMatchObject({ kind: "unreachable", isAmbiguous: false });
    expect(asked).toBeLessThanOrEqual(5);
  });

  it("that never answers has done nothing", async () => {
    const silent = createHttpServer().on("connect", () => undefined);
    const { call } = await through(silent, { requestTimeout: 200 });
    expect(await failureOf(call(post))).toMatchObject({ kind: "timeout", isAmbiguous: false });
  });
});
