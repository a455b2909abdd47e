import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { ControlPlaneError, type ErrorKind } from "../../../provider/control-plane/errors";
import { Http, type Call, type HttpOptions } from "../../../provider/control-plane/http";
import { RecordingClock, settled } from "../support/clock";
import { answer, serve, type Handler } from "../support/server";

const apiKey = "key-4f1c/=+ü";
const headers = { "X-Api-Key": "key-4f1c", "X-Tenant-Id": "t1" };

beforeEach(() => {
  for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"]) {
    vi.stubEnv(name, undefined);
    vi.stubEnv(name.toLowerCase(), undefined);
  }
  onTestFinished(() => void vi.unstubAllEnvs());
});

function connect(baseUrl: string, options: Partial<HttpOptions> = {}) {
  const clock = new RecordingClock();
  const defaults = { headers, secrets: [apiKey], requestTimeout: 10_000, maxConcurrency: 8, clock };
  const http = new Http({ baseUrl, ...defaults, ...options });
  return { clock, call: (call: Partial<Call> = {}) => http.call({ ...get, ...call }) };
}

const get: Call = { method: "GET", path: "/v2/deployments", repeatable: true };
const post: Call = { method: "POST", path: "/v2/deployments", body: {}, repeatable: false };

async function failureOf(work: Promise<unknown>): Promise<ControlPlaneError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ControlPlaneError) return error;
  throw new Error("expected the call to fail", { cause: error });
}

/** What comes of an answer that never changes. */
async function failing(handler: Handler, call: Partial<Call> = { repeatable: false }, options = {}) {
  const server = await serve(handler);
  const { call: send, clock } = connect(server.url, options);
  return { error: await failureOf(send(call)), clock, server };
}

describe("a request", () => {
  it("carries the headers of the connection, the query, and JSON", async () => {
    const server = await serve((response) => answer(response, 200, { a: 1 }));
    const { call } = connect(server.url);
    expect(
      (await call({ ...post, query: { limit: "100", name_contains: "a&b ü" }, body: { name: "ü" } })).body,
    ).toEqual({ a: 1 });
    expect(server.asked).toMatchObject([
      {
        method: "POST",
        url: "/v2/deployments?limit=100&name_contains=a%26b%20%C3%BC",
        headers: { "x-api-key": "key-4f1c", "x-tenant-id": "t1", "content-type": "application/json" },
        body: '{"name":"ü"}',
      },
    ]);
  });

  it("without a body has no content type", async () => {
    const server = await serve((response) => answer(response, 204));
    await connect(server.url).call({ method: "DELETE" });
    expect(server.asked[0]?.headers).not.toHaveProperty("content-type");
  });

  it.each([
    ["/api", "/api/v2/deployments"],
    ["/api/v1/", "/api/v1/v2/deployments"],
    ["/", "/v2/deployments"],
  ])("keeps the path %s of the base address", async (prefix, url) => {
    const server = await serve((response) => answer(response, 200, {}));
    await connect(server.url + prefix).call();
    expect(server.asked[0]?.url).toBe(url);
  });

  it("tells the service's time", async () => {
    const date = "Tue, 01 Jan 2030 00:00:07 GMT";
    const server = await serve((response) => answer(response, 200, {}, { date }));
    expect(await connect(server.url).call()).toMatchObject({ serverTime: Date.parse(date) });
  });

  it("waits for its turn when enough are in flight", async () => {
    const held: (() => void)[] = [];
    let most = 0;
    const server = await serve((response, _asked, count) => {
      held.push(() => answer(response, 200, {}));
      most = Math.max(most, held.length);
      if (count % 3 === 0) void settled().then(() => held.splice(0).forEach((release) => release()));
    });
    const { call } = connect(server.url, { maxConcurrency: 3 });
    await Promise.all(Array.from({ length: 18 }, () => call()));
    expect(server.asked).toHaveLength(18);
    expect(most).toBe(3);
  });

  it("may take longer than any timer can count", async () => {
    const server = await serve((response) => answer(response, 200, { a: 1 }));
    const { call } = connect(server.url, { requestTimeout: 2 ** 40 });
    expect(await call({ repeatable: false })).toMatchObject({ body: { a: 1 } });
  });

  it("leaves one line behind, without a secret", async () => {
    const lines: string[] = [];
    const server = await serve((response) => answer(response, 200, {}));
    const { call } = connect(server.url, { trace: (line) => lines.push(line) });
    await call({ query: { name_contains: apiKey } });
    expect(lines).toEqual(["GET /v2/deployments?name_contains=[secret] 200 0ms"]);
  });
});

describe("an answer that refuses", () => {
  it.each<[number, ErrorKind]>([
    [400, "invalid"],
    [401, "unauthorized"],
    [403, "forbidden"],
    [404, "not-found"],
    [408, "unavailable"],
    [409, "conflict"],
    [410, "not-found"],
    [413, "invalid"],
    [422, "invalid"],
    [429, "rate-limited"],
    [500, "unavailable"],
    [502, "unavailable"],
    [503, "unavailable"],
    [504, "unavailable"],
    [599, "unavailable"],
  ])("with %i is %s", async (status, kind) => {
    const { error } = await failing((response) => answer(response, status, { detail: "no" }));
    expect(error).toMatchObject({ kind, status, request: "GET /v2/deployments", maybeDone: false });
  });

  it.each<[string, unknown, string]>([
    ["a text", { detail: "name is taken" }, "409 Conflict: name is taken"],
    [
      "a list, whose inputs stay out",
      {
        detail: [
          {
            loc: ["body", "source_config", "repo_url"],
            msg: "invalid url",
            input: "canary",
            ctx: { a: "canary" },
          },
          { loc: ["body", "secrets", 0], msg: "too long" },
          { msg: "one more" },
          "canary",
          null,
        ],
      },
      "409 Conflict: source_config.repo_url: invalid url; secrets.0: too long; one more; is invalid; is invalid",
    ],
    ["an object", { detail: { message: "quota", canary: "canary" } }, "409 Conflict: quota"],
    ["message", { message: "quota" }, "409 Conflict: quota"],
    ["error", { error: { message: "quota" } }, "409 Conflict: quota"],
    ["a bare text", '"quota"', "409 Conflict: quota"],
    ["plain text", "quota\nexceeded", "409 Conflict: quota exceeded"],
    ["nothing", "", "409 Conflict"],
    ["something else", { canary: "canary" }, "409 Conflict"],
    ["null", "null", "409 Conflict"],
    ["a number", "7", "409 Conflict"],
  ])("says why in the service's words: %s", async (_name, body, text) => {
    const { error } = await failing((response) => answer(response, 409, body));
    expect(error.message).toBe(`GET /v2/deployments answered ${text}`);
  });

  it("says the id of the request", async () => {
    const { error } = await failing((response) => answer(response, 422, {}, { "x-request-id": "req-7" }));
    expect(error.message).toBe("GET /v2/deployments answered 422 Unprocessable Entity (request id req-7)");
    expect(error.requestId).toBe("req-7");
  });

  it("shows the beginning of a gateway's page, on one line", async () => {
    const page = `<html>\n<h1>Bad gateway</h1>\n${"x".repeat(2_000)}</html>`;
    const { error } = await failing((response) =>
      answer(response, 502, page, { "content-type": "text/html" }),
    );
    expect(error.message).toMatch(
      /^GET \/v2\/deployments answered 502 Bad Gateway: <html> <h1>Bad gateway<\/h1> x+…$/,
    );
    expect(error.message.length).toBeLessThan(600);
  });

  it("with 404 and a page is not the service's: nothing is known to be gone", async () => {
    const { error } = await failing((response) =>
      answer(response, 404, "<html>Not found</html>", { "content-type": "text/html; charset=utf-8" }),
    );
    expect(error).toMatchObject({ kind: "foreign", status: 404 });
  });

  it("has no control characters for the terminal", async () => {
    const detail = "a\u001b[31mred\u0007\u0000\u009b1m\u202e end\r\nof it";
    const { error } = await failing((response) => answer(response, 400, { detail }));
    expect(error.message).toBe("GET /v2/deployments answered 400 Bad Request: a[31mred1m end of it");
  });
});

describe("a secret that a service repeats", () => {
  const secret = 'p"a\\ss/wörd=1';
  const base64 = Buffer.from(secret).toString("base64");
  const key = `-----BEGIN KEY-----\nAbCd${"e".repeat(900)}\n-----END KEY-----`;

  it.each<[string, unknown]>([
    ["in clear", { detail: `bad value ${secret}` }],
    ["in plain text", `bad value ${secret}`],
    ["in base64", { detail: base64 }],
    ["in base64 without its end", { detail: base64.replace(/=+$/, "") }],
    ["escaped for an address", { detail: encodeURIComponent(secret) }],
    ["escaped for JSON, as plain text", `{"value": ${JSON.stringify(secret)}`],
    ["in a list of problems", { detail: [{ loc: ["body"], msg: `bad value ${secret}` }] }],
  ])("never reaches the message: %s", async (_name, body) => {
    const call = { ...post, secrets: [secret] };
    const { error } = await failing((response) => answer(response, 422, body), call);
    for (const form of [secret, base64.replace(/=+$/, ""), encodeURIComponent(secret), "wörd"]) {
      expect(error.message).not.toContain(form);
    }
    expect(error.message).toContain("[secret]");
  });

  it.each([200, 409])(
    "never reaches the message, with line breaks and cut off at the end (%i)",
    async (status) => {
      const call = { ...post, secrets: [key] };
      const { error } = await failing((response) => answer(response, status, `bad value ${key}`), call);
      expect(error.message).toContain("bad value [secret]");
      expect(error.message).not.toContain("AbCd");
    },
  );

  it("never reaches the message in JSON, with line breaks and cut off at the end", async () => {
    const call = { ...post, secrets: [key] };
    const { error } = await failing((response) => answer(response, 422, { detail: key }), call);
    expect(error.message).toBe("POST /v2/deployments answered 422 Unprocessable Entity: [secret]…");
  });

  it("never reaches the message as the API key, nor as an id of the request", async () => {
    const { error } = await failing((response) =>
      answer(
        response,
        401,
        { detail: `unknown key ${apiKey}` },
        { "x-request-id": encodeURIComponent(apiKey) },
      ),
    );
    expect(error.message).toBe(
      "GET /v2/deployments answered 401 Unauthorized: unknown key [secret] (request id [secret])",
    );
  });

  it("never reaches the message as the target of a redirect", async () => {
    const location = `https://elsewhere.example.com/?key=${encodeURIComponent(apiKey)}`;
    const { error } = await failing((response) => answer(response, 302, "", { location }));
    expect(error.message).not.toContain("4f1c");
  });
});

describe("an answer that is not understood", () => {
  it("is unreadable when its JSON ends too early", async () => {
    const { error } = await failing((response) =>
      answer(response, 200, '{"resources": [', { "content-type": "application/json" }),
    );
    expect(error).toMatchObject({ kind: "unreadable", maybeDone: false });
    expect(error.message).toBe(
      "GET /v2/deployments answered 200 with JSON that ends too early or is damaged",
    );
  });

  it("is somebody else's when it is no JSON", async () => {
    const { error } = await failing((response) =>
      answer(response, 200, "<html>Sign in</html>", { "content-type": "text/html" }),
    );
    expect(error).toMatchObject({ kind: "foreign" });
    expect(error.message).toContain("200 with something that is not JSON: <html>Sign in</html>");
  });

  it("is a lost connection when the body is cut off", async () => {
    const { error } = await failing((response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
      response.write('{"a"', () => response.destroy());
    }, post);
    expect(error).toMatchObject({ kind: "unreachable", maybeDone: true });
  });

  it("may be nothing at all", async () => {
    const server = await serve((response) => response.writeHead(204).end());
    expect(await connect(server.url).call()).toMatchObject({ body: undefined });
  });
});

describe("a redirect", () => {
  it("is not followed, and the other place gets no request", async () => {
    const other = await serve((response) => answer(response, 200, {}));
    const { error, server } = await failing((response) =>
      answer(response, 307, "", { location: `${other.url}/v2/deployments` }),
    );
    expect(error).toMatchObject({ kind: "redirected", status: 307 });
    expect(error.message).toBe(`GET /v2/deployments answered 307, a redirect to ${other.url}/v2/deployments`);
    expect(server.asked).toHaveLength(1);
    expect(other.asked).toEqual([]);
  });
});

describe("whether a call may have been done", () => {
  const drop: Handler = (response) => response.destroy();
  const hang: Handler = () => undefined;
  const damaged: Handler = (response) => answer(response, 200, "{", { "content-type": "application/json" });
  const status =
    (code: number, more = {}): Handler =>
    (response) =>
      answer(response, code, {}, more);

  it.each<[string, Handler, boolean]>([
    ["a refusal", status(422), false],
    ["a conflict", status(409), false],
    ["429", status(429), false],
    ["500", status(500), true],
    ["502", status(502), true],
    ["503", status(503), true],
    ["503 that says when to come back", status(503, { "retry-after": "1" }), false],
    ["500 that says when to come back", status(500, { "retry-after": "1" }), true],
    ["500 that asks to wait for an hour", status(500, { "retry-after": "3600" }), true],
    ["a redirect", status(307), false],
    ["a lost connection", drop, true],
    ["no answer in time", hang, true],
    ["a damaged answer", damaged, true],
  ])("after %s", async (_name, handler, done) => {
    const options = { requestTimeout: handler === hang ? 50 : 10_000 };
    for (const method of ["POST", "PATCH", "DELETE"] as const) {
      const { error } = await failing(handler, { ...post, method }, options);
      expect(error.maybeDone, method).toBe(done);
    }
    expect((await failing(handler, { repeatable: false }, options)).error.maybeDone, "GET").toBe(false);
  });

  it("it was not when nobody listens", async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const error = await failureOf(connect(`http://127.0.0.1:${port}`).call(post));
    expect(error).toMatchObject({ kind: "unreachable", maybeDone: false });
    expect(error.message).toBe(
      `POST /v2/deployments could not reach http://127.0.0.1:${port} (ECONNREFUSED)`,
    );
  });

  it("no answer in time says how long was waited", async () => {
    const { error } = await failing(hang, post, { requestTimeout: 50 });
    expect(error).toMatchObject({ kind: "timeout" });
    expect(error.message).toBe("POST /v2/deployments got no answer within 0.05s");
  });
});

describe("trying again", () => {
  it("happens after an error that passes, with the wait that the service asks for", async () => {
    const server = await serve((response, _asked, count) => {
      if (count === 1) answer(response, 503, {}, { "retry-after": "7" });
      else if (count === 2) answer(response, 429, {}, { "retry-after": "0" });
      else if (count === 3) response.destroy();
      else answer(response, 200, { a: 1 });
    });
    const { call, clock } = connect(server.url);
    expect(await call()).toMatchObject({ body: { a: 1 } });
    expect(clock.slept).toEqual([7_000, 0, 2_000]);
  });

  it("reads a date in Retry-After by the service's own clock", async () => {
    const server = await serve((response, _asked, count) => {
      if (count > 1) return answer(response, 200, {});
      const [date, later] = ["Fri, 01 Jan 2027 00:00:00 GMT", "Fri, 01 Jan 2027 00:00:42 GMT"];
      answer(response, 429, {}, { date, "retry-after": later });
    });
    const { call, clock } = connect(server.url);
    await call();
    expect(clock.slept).toEqual([42_000]);
  });

  it.each(["soon", "", "-5"])("backs off by itself when Retry-After is %j", async (value) => {
    const server = await serve((response, _asked, count) => {
      answer(response, count > 1 ? 200 : 429, {}, { "retry-after": value });
    });
    const { call, clock } = connect(server.url);
    await call();
    expect(clock.slept).toEqual([500]);
  });

  it("does not wait for an hour: that is an outage", async () => {
    const { error, clock } = await failing(
      (response) => answer(response, 503, {}, { "retry-after": "3600" }),
      get,
    );
    expect(clock.slept.every((ms) => ms < 10_000)).toBe(true);
    expect(error.kind).toBe("overloaded");
    expect(error.message).toContain("it asks to wait 60 minutes");
  });

  it("does not happen after a POST that may have been done", async () => {
    const { server } = await failing((response) => answer(response, 500), post);
    expect(server.asked).toHaveLength(1);
  });

  it("happens after a POST that was refused for now", async () => {
    const server = await serve((response, _asked, count) => answer(response, count === 1 ? 429 : 201, {}));
    await connect(server.url).call(post);
    expect(server.asked).toHaveLength(2);
  });

  it("ends after five attempts", async () => {
    const { server, clock } = await failing((response) => answer(response, 502), get);
    expect(server.asked).toHaveLength(5);
    expect(clock.slept).toEqual([500, 1_000, 2_000, 4_000]);
  });
});
