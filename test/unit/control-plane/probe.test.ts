/** One GET of an address of a deployment's own, over the same connection as those of the service. */
import { describe, expect, it } from "vitest";
import { proxiesIn } from "../../../provider/settings/proxies";
import { apiKey, connect } from "../../support/http";
import { respond, serve, type Handler } from "../../support/server";
import { tlsBefore } from "../../support/tls";

const service = "https://deployments.example.com";

async function probed(handler: Handler, path = "/ok") {
  const app = await serve(handler);
  return { answer: await connect(service).probe(app.url + path), app };
}

describe("a probe", () => {
  it("carries no credentials of the service: neither its key nor its tenant", async () => {
    const { answer, app } = await probed((response) => respond(response, 200), "/base/ok?deep=1");
    expect(answer).toEqual({ status: 200 });
    expect(app.asked).toMatchObject([{ method: "GET", url: "/base/ok?deep=1", body: "" }]);
    expect(Object.keys(app.asked[0]!.headers).sort()).toEqual([
      "accept-encoding",
      "connection",
      "host",
      "user-agent",
    ]);
    expect(JSON.stringify(app.asked)).not.toMatch(/key-4f1c|"t1"/);
  });

  it("follows no redirect: it is a status like any other", async () => {
    const headers = { location: "/elsewhere" };
    const { answer, app } = await probed((response) => respond(response, 302, "", headers));
    expect(answer).toEqual({ status: 302 });
    expect(app.asked).toHaveLength(1);
  });

  it("writes its status to a debug trace, and not the address, which may be a secret", async () => {
    const app = await serve((response) => respond(response, 503));
    const lines: string[] = [];
    await connect(service, { trace: (line) => lines.push(line) }).probe(`${app.url}/ok?token=${apiKey}`);
    expect(lines).toEqual([expect.stringMatching(/^GET \(a deployment's own address\) 503 \d+ms$/)]);
  });

  it("takes the proxy of the environment", async () => {
    const { proxies } = proxiesIn({ HTTP_PROXY: "http://user:pass-word-1234@127.0.0.1:9" });
    expect(await connect(service, { proxies }).probe("http://chat.example.com/ok")).toEqual({
      problem: expect.stringMatching(
        /^could not reach the proxy http:\/\/127\.0\.0\.1:9, which is set in HTTP_PROXY \(ECONNREFUSED\)$/,
      ),
    });
    // The HTTP library has noted the host in the headers that it was given. The next request has its own.
    const { app } = await probed((response) => respond(response, 200));
    expect(app.asked[0]!.headers.host).toBe(new URL(app.url).host);
  });
});

describe("a probe without an answer says why, and names no address", () => {
  it("if the certificate is not trusted", async () => {
    const app = await serve((response) => respond(response, 200));
    const url = await tlsBefore(app.url, "self-signed");
    const problem = "refused the certificate of the address (DEPTH_ZERO_SELF_SIGNED_CERT)";
    expect(await connect(service).probe(`${url}/ok`)).toEqual({ problem });
    expect(app.asked).toEqual([]);
  });

  it("if the response takes longer than a request may", async () => {
    const app = await serve(() => undefined);
    const problem = "got no response within 0.3s";
    expect(await connect(service, { requestTimeout: 300 }).probe(`${app.url}/ok`)).toEqual({ problem });
  });

  it("if nothing waits for it any more, and the request ends", async () => {
    const user = new AbortController();
    let isOver = false;
    const app = await serve((response) => {
      response.on("close", () => (isOver = true));
      user.abort();
    });
    expect(await connect(service).probe(`${app.url}/ok`, user.signal)).toHaveProperty("problem");
    await expect.poll(() => isOver).toBe(true);
  });
});
