import { describe, expect, it } from "vitest";
import { transportError } from "../../../provider/control-plane/transport-error";

const failed = (code: string) => Object.assign(new Error("no"), { code });
const problemOf = (error: unknown) => transportError(error, "https://deployments.example.com", 30_000);

describe("a request without a response", () => {
  it.each([
    ["ECONNREFUSED", "unreachable", "could not reach https://deployments.example.com (ECONNREFUSED)", false],
    ["ENOTFOUND", "unreachable", "could not reach https://deployments.example.com (ENOTFOUND)", false],
    [
      "SELF_SIGNED_CERT_IN_CHAIN",
      "untrusted",
      "refused the certificate of https://deployments.example.com (SELF_SIGNED_CERT_IN_CHAIN)",
      false,
    ],
    [
      "ERR_TLS_CERT_ALTNAME_INVALID",
      "untrusted",
      "refused the certificate of https://deployments.example.com (ERR_TLS_CERT_ALTNAME_INVALID)",
      false,
    ],
    [
      "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
      "untrusted",
      "refused the certificate of https://deployments.example.com (UNABLE_TO_VERIFY_LEAF_SIGNATURE)",
      false,
    ],
    [
      "ECONNRESET",
      "unreachable",
      "lost the connection to https://deployments.example.com (ECONNRESET)",
      true,
    ],
    ["UND_ERR_RES_EXCEEDED_MAX_SIZE", "foreign", "got a response that was too large", true],
    ["UND_ERR_HEADERS_TIMEOUT", "timeout", "got no response within 30s", true],
  ])("with code %s is %s, and says so", (code, kind, message, isAmbiguous) => {
    expect(problemOf(failed(code))).toMatchObject({ kind, message, isAmbiguous });
    // The library wraps the reason in an error of its own.
    expect(problemOf(new Error("fetch failed", { cause: failed(code) }))).toMatchObject({
      kind,
      message,
      isAmbiguous,
    });
    expect(problemOf(new AggregateError([failed(code)]))).toMatchObject({ kind });
  });

  it("may be a restart of the service if its connection is refused or lost, not if its name is unknown", () => {
    const isRestart = (code: string) => problemOf(failed(code)).isRestart ?? false;
    expect(["ECONNREFUSED", "ECONNRESET", "UND_ERR_SOCKET"].map(isRestart)).toEqual([true, true, true]);
    expect(["ENOTFOUND", "EAI_AGAIN", "CERT_HAS_EXPIRED"].map(isRestart)).toEqual([false, false, false]);
  });
});
