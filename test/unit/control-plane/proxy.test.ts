import { createServer } from "node:http";
import { describe, expect, it, vi } from "vitest";
import { sentencesText } from "../../../provider/errors/advice";
import { proxiesIn, proxyCredentials } from "../../../provider/settings/proxies";
import { connect, failureOf } from "../../support/http";
import { listening, respond, serve, tunnel } from "../../support/server";

it.each([
  ["is used", {}, 1],
  ["is not used for a host in NO_PROXY", { NO_PROXY: "localhost,127.0.0.1" }, 0],
])("a proxy of the environment %s", async (_name, more, count) => {
  const server = await serve((response) => respond(response, 200, { a: 1 }));
  const targets: string[] = [];
  const proxy = `http://127.0.0.1:${await listening(tunnel(targets))}`;
  const environment = { HTTP_PROXY: proxy, NO_PROXY: "", http_proxy: "", no_proxy: "", ...more };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value || undefined);
  expect((await connect(server.url).call()).body).toEqual({ a: 1 });
  expect(targets).toHaveLength(count);
  expect(server.asked).toHaveLength(1);
});

it("the password of a proxy is a secret, and so is what the proxy is sent in base64", () => {
  const { proxies } = proxiesIn({ HTTP_PROXY: "http://user:p%40ss-4f1c@proxy.example.com:3128" });
  expect(proxyCredentials(proxies!)).toEqual(["p@ss-4f1c", "user:p@ss-4f1c"]);
  expect(proxyCredentials(proxiesIn({ HTTPS_PROXY: "proxy.example.com:3128" }).proxies!)).toEqual([]);
});

describe("a proxy", () => {
  /** One that connects nobody, or that has ended. */
  async function refusing(status: number, hasEnded = false): Promise<string> {
    const proxy = createServer();
    proxy.on("connect", (_request, client) => client.end(`HTTP/1.1 ${status} No\r\n\r\n`));
    const port = await listening(proxy);
    if (hasEnded) await new Promise((resolve) => proxy.close(resolve));
    return `127.0.0.1:${port}`;
  }

  it("that requires authentication is not a lost connection, and is not retried", async () => {
    const { proxies } = proxiesIn({ HTTP_PROXY: await refusing(407) });
    for (const method of ["GET", "POST"] as const) {
      const { call, clock } = connect("http://deployments.example.com", { proxies });
      const error = await failureOf(call({ method }));
      expect(error).toMatchObject({ kind: "proxy", isAmbiguous: false });
      expect(error.message).toBe(
        `${method} /v2/deployments was refused by the proxy: 407 Proxy Authentication Required`,
      );
      expect(clock.slept).toEqual([]);
    }
  });

  it.each([
    ["HTTP_PROXY", "http", "ECONNREFUSED"],
    ["HTTP_PROXY", "https", "ECONNREFUSED"],
    ["HTTPS_PROXY", "https", "ENOTFOUND"],
  ])(
    "that %s names for %s and that is not there (%s) is named, without its password",
    async (variable, scheme, code) => {
      const host = code === "ENOTFOUND" ? "proxy.invalid:3128" : await refusing(200, true);
      const { proxies } = proxiesIn({ [variable]: `http://user:pass-word-1234@${host}` });
      const { call } = connect(`${scheme}://deployments.example.com`, { proxies });
      const error = await failureOf(call({ method: "POST", idempotent: false }));
      expect(error).toMatchObject({ kind: "unreachable", isAmbiguous: false });
      expect(error.message).toMatch(/\((ENOTFOUND|EAI_AGAIN|ECONNREFUSED)\)$/);
      expect(error.message.replace(/ \(\w+\)$/, "")).toBe(
        `POST /v2/deployments could not reach the proxy http://${host}, which is set in ${variable}`,
      );
      expect(sentencesText(error)).toContain(`Check ${variable}, and that the proxy is running`);
      expect(sentencesText(error)).not.toContain("baseUrl");
    },
  );

  it("is not named if it is not used for an unreachable service", async () => {
    const { proxies } = proxiesIn({ HTTP_PROXY: "http://127.0.0.1:9" });
    vi.stubEnv("NO_PROXY", "127.0.0.1");
    const closed = await refusing(200, true);
    const error = await failureOf(
      connect(`http://${closed}`, { proxies }).call({ idempotent: false, isOnce: true }),
    );
    expect(error.message).toBe(`GET /v2/deployments could not reach http://${closed} (ECONNREFUSED)`);
  });
});
