import { describe, expect, it, onTestFinished } from "vitest";
import { sentencesOf } from "../../../provider/errors";
import { tlsBefore, type Certificate } from "../../support/tls";
import { connect, failureOf, post } from "../../support/http";
import { respond, serve } from "../../support/server";

async function behindTls(certificate: Certificate) {
  const plain = await serve((response) => respond(response, 200, {}));
  const tls = await tlsBefore(plain.url, certificate);
  onTestFinished(tls.close);
  return { ...tls, asked: plain.asked };
}

describe("a certificate", () => {
  it.each<[Certificate, string]>([
    ["self-signed", "DEPTH_ZERO_SELF_SIGNED_CERT"],
    // Signed by an authority that this process does not know, whatever else may be right.
    ["trusted", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
  ])("that is %s by nobody known is refused before anything is sent", async (certificate, code) => {
    const { url, asked } = await behindTls(certificate);
    const error = await failureOf(connect(url).call(post));
    expect(error).toMatchObject({ kind: "untrusted", isAmbiguous: false });
    expect(sentencesOf(error)).toBe(
      `POST /v2/deployments refused the certificate of ${url} (${code}). ` +
        "For your own certificate authority, set NODE_EXTRA_CA_CERTS to its certificate.",
    );
    expect(asked).toEqual([]);
  });
});

describe("an address of https", () => {
  it("where plain http is spoken has no certificate to refuse, and gets no request", async () => {
    const plain = await serve((response) => respond(response, 200, {}));
    const error = await failureOf(connect(plain.url.replace("http:", "https:")).call(post));
    expect(error.kind).toBe("unreachable");
    expect(plain.asked).toEqual([]);
  });
});
