import { describe, expect, it } from "vitest";
import type { ErrorKind } from "../../../provider/errors";
import { apiKey, failing, post } from "../../support/http";
import { respond } from "../../support/server";

const html = { "content-type": "text/html; charset=utf-8" };
const json = { "content-type": "application/json" };
const answered = async (status: number, body: unknown, headers = {}, key = apiKey) =>
  (await failing((response) => respond(response, status, body, headers), post, { apiKey: key })).error;

describe("a response that refuses", () => {
  const kinds: Partial<Record<ErrorKind, number[]>> = {
    invalid: [400, 413, 422],
    unauthorized: [401],
    forbidden: [403],
    "not-found": [404, 410],
    conflict: [409],
    "rate-limited": [429],
    unavailable: [408, 500, 502, 503, 504, 599],
  };
  const cases = Object.entries(kinds).flatMap(([kind, all]) => all.map((status) => [status, kind] as const));

  it.each(cases)("with %i is %s", async (status, kind) => {
    const error = await answered(status, { detail: "no" });
    expect(error).toMatchObject({ kind, status, request: "POST /v2/deployments" });
  });

  const listed = [
    { loc: ["body", "source_config", "repo_url"], msg: "invalid url", input: "canary", ctx: { a: "canary" } },
    { loc: ["body", "secrets", 0], msg: "too long" },
    { msg: "one more" },
    "as it is",
    null,
  ];
  it.each<[unknown, string]>([
    [{ detail: "name is taken" }, ": name is taken"],
    [{ detail: listed }, ": source_config.repo_url: invalid url; secrets.0: too long; one more; as it is"],
    [{ detail: { message: "quota", canary: "canary" } }, ": quota"],
    [{ message: "quota" }, ": quota"],
    [{ errors: ["quota"] }, ': {"errors":["quota"]}'],
    [{ type: "https://example.com/quota", title: "Quota", status: 409, detail: "no more" }, ": no more"],
    [{ statusCode: 409, message: ["quota", "limit"] }, ": quota; limit"],
    ["quota\nexceeded", ": quota exceeded"],
    ["", ""],
    [{ reason: "quota", limit: 3 }, ': {"reason":"quota","limit":3}'],
    [{}, ""],
  ])(
    "says why in the service's words, without the inputs that it repeats: %j (H09 to H11)",
    async (body, text) => {
      expect((await answered(409, body)).message).toBe(`POST /v2/deployments answered 409 Conflict${text}`);
    },
  );

  it("names the id of the request", async () => {
    const error = await answered(422, {}, { "x-request-id": "req-7" });
    expect(error.message).toBe("POST /v2/deployments answered 422 Unprocessable Entity (request id req-7)");
    expect(error.requestId).toBe("req-7");
  });

  it.each([
    ["<title>\n Bad\ngateway </title><h1>Oh no</h1>", ": Bad gateway"],
    ["<p>Bad gateway</p>", ""],
  ])("is recognized as a gateway's page: %s", async (text, title) => {
    for (const type of [html, {}]) {
      const page = `<!DOCTYPE html>\n<html>${text}${"x".repeat(2_000)}</html>`;
      expect((await answered(502, page, type)).message).toBe(
        `POST /v2/deployments answered 502 Bad Gateway: an HTML page, which comes from a gateway and not from the service${title}`,
      );
    }
  });

  it("with a 404 page does not show that anything was deleted (E05)", async () => {
    expect(await answered(404, "<html>Not found</html>", html)).toMatchObject({
      kind: "foreign",
      status: 404,
    });
  });
});

describe("a secret that a service repeats", () => {
  it.each([200, 409])(
    "never reaches the message, even if it is longer than what is shown (%i)",
    async (status) => {
      const key = `-----BEGIN.KEY-----.AbCd${"e".repeat(900)}.-----END KEY-----`;
      const { message } = await answered(status, `bad value ${key}`, {}, key);
      expect(message).toContain("bad value [secret]");
      expect(message).not.toContain("AbCd");
    },
  );

  it("never reaches the message in the id of the request or the target of a redirect", async () => {
    const encoded = encodeURIComponent(apiKey);
    const { message } = await answered(401, { detail: `unknown key ${apiKey}` }, { "x-request-id": encoded });
    expect(message).toContain("401 Unauthorized: unknown key [secret] (request id [secret])");
    const redirect = await answered(302, "", { location: `https://elsewhere.example.com/?key=${encoded}` });
    expect(redirect.message).not.toContain("4f1c");
  });
});

it.each<[string, object, ErrorKind, string]>([
  ['{"resources": [', json, "unreadable", "200 with JSON that is truncated or damaged"],
  ["<html><title>Sign in</title></html>", html, "foreign", "not from the service: Sign in"],
])(
  "a response of another kind is told apart from a damaged one: %s (E06)",
  async (body, headers, kind, text) => {
    const error = await answered(200, body, headers);
    expect(error.kind).toBe(kind);
    expect(error.message).toContain(text);
  },
);

it.each([
  ["[", "", "]"],
  ['{"detail":', '"words"', "}"],
])("a body that nests without an end is cut: %s", async (open, inner, close) => {
  const body = open.repeat(20_000) + inner + close.repeat(20_000);
  expect((await answered(409, body, json)).message).toMatch(/409 Conflict(?:: .{500}…)?$/);
});
