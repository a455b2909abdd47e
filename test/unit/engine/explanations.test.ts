import { describe, expect, it } from "vitest";
import { ControlPlaneError, LoginError, type ErrorKind } from "../../../provider/errors";
import { Explanations } from "../../../provider/engine/explanations";

const urn = (name: string) =>
  `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/deployment-service:Deployment::${name}`;
const failed = (kind: ErrorKind, text: string, status?: number) => {
  const request = "POST /v2/deployments";
  return new ControlPlaneError(`${request} ${text}`, { kind, request, status, isAmbiguous: false });
};

/** What the second of two resources shows, after the first one met an error. */
function secondAfter(first: Error, second: Error) {
  const explanations = new Explanations();
  expect(explanations.shorten(first, urn("chat"))).toBe(first);
  expect(explanations.shorten(first, urn("chat"))).toBe(first);
  const shown = explanations.shorten(second, urn("search")) as Error;
  return shown === second ? "explained" : shown.message;
}

describe("the error of a second resource", () => {
  it.each<[Error, string]>([
    [failed("unauthorized", "answered 401 Unauthorized: no", 401), "401 Unauthorized"],
    [
      failed(
        "unreachable",
        "could not reach https://a.example.com (ECONNREFUSED); no time is left for the next try",
      ),
      "could not reach https://a.example.com (ECONNREFUSED)",
    ],
    [new LoginError("the login has no valid token", ": run it"), "the login has no valid token"],
    [failed("redirected", "answered 302, a redirect to nowhere", 302), "302 Found"],
  ])("refers to the first one: %s", (error, text) => {
    expect(secondAfter(error, error)).toBe(`${text}, as explained for "chat"`);
  });

  it("does so for a missing permission only if the service says the same, whatever the request id", () => {
    const forbidden = (text: string) => failed("forbidden", `answered 403 Forbidden: ${text}`, 403);
    expect(secondAfter(forbidden("no (request id 4f1c)"), forbidden("no (request id 9d2e)"))).toMatch(
      /^403 Forbidden, as/,
    );
    expect(secondAfter(forbidden("not yours"), forbidden("no quota"))).toBe("explained");
  });
});
