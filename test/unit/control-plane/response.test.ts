import { describe, expect, it } from "vitest";
import type { ErrorKind } from "../../../provider/errors";
import { apiKey, failing, post } from "../../support/http";
import { respond } from "../../support/server";

describe("a response that refuses", () => {
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
    const { error } = await failing((response) => respond(response, status, { detail: "no" }));
    expect(error).toMatchObject({ kind, status, request: "GET /v2/deployments", isAmbiguous: false });
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
  ])("says why in the service's words: %s (H09 to H11)", async (_name, body, text) => {
    const { error } = await failing((response) => respond(response, 409, body));
    expect(error.message).toBe(`GET /v2/deployments answered ${text}`);
  });

  it("says the id of the request", async () => {
    const { error } = await failing((response) => respond(response, 422, {}, { "x-request-id": "req-7" }));
    expect(error.message).toBe("GET /v2/deployments answered 422 Unprocessable Entity (request id req-7)");
    expect(error.requestId).toBe("req-7");
  });

  it.each([
    [
      "its title",
      "<title>\n Bad\ngateway </title><h1>Oh no</h1>",
      'an HTML page with the title "Bad gateway", which comes from a gateway and not from the service',
    ],
    [
      "its heading",
      "<h1 class=x>Bad gateway</h1>",
      'an HTML page with the title "Bad gateway", which comes from a gateway and not from the service',
    ],
    [
      "nothing more",
      "<p>Bad gateway</p>",
      "an HTML page, which comes from a gateway and not from the service",
    ],
  ])("says of a gateway's page that it is one, and %s (H11)", async (_name, text, said) => {
    for (const type of ["text/html; charset=utf-8", "text/plain"]) {
      const page = `<!DOCTYPE html>\n<html>${text}${"x".repeat(2_000)}</html>`;
      const { error } = await failing((response) => respond(response, 502, page, { "content-type": type }));
      expect(error.message).toBe(`GET /v2/deployments answered 502 Bad Gateway: ${said}`);
    }
  });

  it("with 404 and a page is not the service's: nothing is known to be deleted (E05)", async () => {
    const { error } = await failing((response) =>
      respond(response, 404, "<html>Not found</html>", { "content-type": "text/html; charset=utf-8" }),
    );
    expect(error).toMatchObject({ kind: "foreign", status: 404 });
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
  ])("never reaches the message: %s (A24)", async (_name, body) => {
    const { error } = await failing((response) => respond(response, 422, body), post, { secrets: [secret] });
    for (const form of [secret, base64.replace(/=+$/, ""), encodeURIComponent(secret), "wörd"]) {
      expect(error.message).not.toContain(form);
    }
    expect(error.message).toContain("[secret]");
  });

  it.each([200, 409])("never reaches the message, longer than what is shown of it (%i)", async (status) => {
    const body = `bad value ${key}`;
    const { error } = await failing((response) => respond(response, status, body), post, { secrets: [key] });
    expect(error.message).toContain("bad value [secret]");
    expect(error.message).not.toContain("AbCd");
  });

  it("never reaches the message as the API key, nor as an id of the request", async () => {
    const { error } = await failing((response) =>
      respond(
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
    const { error } = await failing((response) => respond(response, 302, "", { location }));
    expect(error.message).not.toContain("4f1c");
  });
});

describe("a response that is not understood", () => {
  it("is unreadable when its JSON ends too early", async () => {
    const { error } = await failing((response) =>
      respond(response, 200, '{"resources": [', { "content-type": "application/json" }),
    );
    expect(error).toMatchObject({ kind: "unreadable", isAmbiguous: false });
    expect(error.message).toBe("GET /v2/deployments answered 200 with JSON that is truncated or damaged");
  });

  it("is somebody else's when it is no JSON (E06)", async () => {
    const { error } = await failing((response) =>
      respond(response, 200, "<html><title>Sign in</title></html>", { "content-type": "text/html" }),
    );
    expect(error).toMatchObject({ kind: "foreign" });
    expect(error.message).toContain('200 with an HTML page with the title "Sign in"');
  });
});
