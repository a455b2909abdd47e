import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import type { Token } from "../../../provider/settings/token";
import { newController } from "../../../provider/time/limits";
import { VirtualClock } from "../../support/clock";
import { apiKey, connect, failing, failureOf, get, post } from "../../support/http";
import { limitsOf } from "../../support/limits";
import { respond, serve, type Handler } from "../../support/server";

describe("a request", () => {
  it("carries the headers of the connection, the query, and JSON (K12)", async () => {
    const server = await serve((response) => respond(response, 200, { a: 1 }));
    const { call } = connect(server.url);
    const query = { limit: "100", name_contains: "a&b ü" };
    expect(await call({ ...post, query, body: { name: "ü" } })).toMatchObject({ body: { a: 1 } });
    expect(server.asked).toMatchObject([
      {
        method: "POST",
        url: "/v2/deployments?limit=100&name_contains=a%26b%20%C3%BC",
        headers: { "x-api-key": apiKey, "x-tenant-id": "t1", "content-type": "application/json" },
        body: '{"name":"ü"}',
      },
    ]);
  });

  it("says which version of the package sends it", async () => {
    const server = await serve((response) => respond(response, 200, {}));
    await connect(server.url).call();
    const { name, version } = JSON.parse(readFileSync("package.json", "utf8")) as Record<string, string>;
    expect(server.asked[0]?.headers["user-agent"]).toBe(`${name}/${version}`);
  });

  it.each([
    ["/api", "/api/v2/deployments"],
    ["/api/v1/", "/api/v1/v2/deployments"],
    ["/", "/v2/deployments"],
  ])("keeps the path %s of the base address (K01, K11)", async (prefix, url) => {
    const server = await serve((response) => respond(response, 200, {}));
    await connect(server.url + prefix).call();
    expect(server.asked[0]?.url).toBe(url);
  });

  it("leaves one line behind, without a secret (K29)", async () => {
    const lines: string[] = [];
    const server = await serve((response) => respond(response, 200, {}));
    const { call } = connect(server.url, { trace: (line) => lines.push(line) });
    await call({ query: { name_contains: "a-name-that-a-program-calls-secret" } });
    expect(lines).toEqual(["GET /v2/deployments 200 0ms"]);
  });
});

it("that changes something may still be answered for ten seconds after Ctrl-C, and one that reads may not", async () => {
  const clock = new VirtualClock();
  const user = newController();
  const { limits } = limitsOf(clock, { signal: user.signal });
  const answers = new Map<string, () => void>();
  const server = await serve((response, { url }) => {
    answers.set(url, () => respond(response, 200, {}));
  });
  const { http } = connect(server.url, { clock });
  const sent = (path: string, call = post) => http.call({ ...call, path, isOnce: true }, limits);
  const read = failureOf(sent("/read", get));
  const answered = sent("/answered");
  const unanswered = failureOf(sent("/unanswered"));
  await vi.waitFor(() => expect(answers.size).toBe(3));
  user.abort();
  expect(await read).toMatchObject({ kind: "interrupted" });
  await clock.advance(9_999);
  answers.get("/answered")!();
  expect(await answered).toMatchObject({ body: {} });
  await clock.advance(1);
  expect(await unanswered).toMatchObject({ kind: "interrupted", isAmbiguous: true });
});

it("asks for the key or token before each request, and no error shows an earlier or a later one", async () => {
  const texts = ["canary-token-1", "canary-token-2"];
  const sent: string[] = [];
  const server = await serve((response) => respond(response, 401, { detail: texts.join(" and ") }));
  const current = () => Promise.resolve(texts[sent.push(texts[sent.length]!) - 1]!);
  const { call } = connect(server.url, { token: { texts: sent, current } as Partial<Token> as Token });
  await failureOf(call());
  expect((await failureOf(call())).message).toContain("[secret] and [secret]");
  expect(server.asked.map(({ headers }) => headers.authorization)).toEqual(
    texts.map((text) => `Bearer ${text}`),
  );
  const noToken = { texts, current: () => Promise.reject(new Error("no token")) };
  const { call: refused } = connect(server.url, { token: noToken as Partial<Token> as Token });
  await expect(refused()).rejects.toThrow("no token");
  expect(server.asked).toHaveLength(2);
});

const drop: Handler = (response) => response.destroy();
const hang: Handler = () => undefined;
const damaged: Handler = (response) => respond(response, 200, "{", { "content-type": "application/json" });
const status =
  (code: number, more = {}): Handler =>
  (response) =>
    respond(response, code, {}, more);

it.each<[string, Handler, boolean]>([
  ["a refusal", status(422), false],
  ["a conflict", status(409), false],
  ["429", status(429), false],
  ["500", status(500), true],
  ["502", status(502), true],
  ["503", status(503), true],
  ["503 that says when to come back", status(503, { "retry-after": "1" }), true],
  ["500 that says when to come back", status(500, { "retry-after": "1" }), true],
  ["a redirect", status(307), false],
  ["a lost connection", drop, true],
  ["no response in time", hang, true],
  ["a damaged response", damaged, true],
])("whether a call may have been done after %s (H06, H12)", async (_name, handler, done) => {
  const options = { requestTimeout: handler === hang ? 50 : 10_000 };
  for (const method of ["POST", "PATCH", "DELETE"] as const) {
    const { error } = await failing(handler, { ...post, method }, options);
    expect(error.isAmbiguous, method).toBe(done);
  }
  expect((await failing(handler, { idempotent: false }, options)).error.isAmbiguous, "GET").toBe(false);
});

it.each([
  ["7", 7_350],
  ["0", 525],
  ["soon", 525],
  ["", 525],
  ["9".repeat(400), 525],
  ["Infinity", 525],
  ["2027-01-01T00:00:07Z", 7_350],
  ["Fri, 01 Jan 2027 00:00:07 GMT", 7_350],
  ["Thu, 31 Dec 2026 23:00:00 GMT", 525],
])(
  "a retry after 429 with Retry-After %j, a date by the service's own clock, waits %i ms (H02)",
  async (value, wait) => {
    const server = await serve((response, _asked, count) => {
      const date = "Fri, 01 Jan 2027 00:00:00 GMT";
      respond(response, count > 1 ? 200 : 429, {}, { date, "retry-after": value });
    });
    const { call, clock } = connect(server.url);
    await call();
    expect(clock.slept).toEqual([wait]);
  },
);
