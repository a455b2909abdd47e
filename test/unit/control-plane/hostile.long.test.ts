/** A service, or something between, that means harm: what it answers must neither be followed nor flood nor break. */
import { describe, expect, it } from "vitest";
import { connect, failing, post } from "../../support/http";
import { rejectionOf } from "../../support/service";
import { respond, serve, type Handler } from "../../support/server";

const json = { "content-type": "application/json" };

const methods = ["GET", "POST", "PATCH", "DELETE"] as const;

it.each([301, 302, 303, 307, 308])(
  "a redirect with %i is not followed by any method, to any place (K07, K22)",
  async (status) => {
    const other = await serve((response) => respond(response, 200, {}));
    const targets = [
      `${other.url}/v2/deployments`,
      other.url.replace("127.0.0.1", "localhost"),
      other.url.replace("http:", ""),
      "/v2/elsewhere",
      "https://user:password@example.com/",
    ];
    for (const location of targets) {
      for (const method of methods) {
        const call = { ...post, method };
        const { error, server } = await failing(
          (response) => respond(response, status, "", { location }),
          call,
        );
        expect(error, location).toMatchObject({ kind: "redirected", status, isAmbiguous: false });
        expect(server.asked).toHaveLength(1);
      }
    }
    expect(other.asked).toEqual([]);
  },
);

describe("a response that is too much", () => {
  const megabyte = "x".repeat(1024 * 1024);
  const page: Handler = (response) => {
    response.writeHead(200, json);
    const more = () => {
      while (!response.destroyed && response.write(megabyte));
    };
    response.on("drain", more);
    more();
  };

  it("ends when it is larger than any list of deployments, however it is sent", async () => {
    const { error, server } = await failing(page, post);
    expect(error.message).toBe("POST /v2/deployments got a response that was too large");
    expect(error).toMatchObject({ kind: "foreign", isAmbiguous: true });
    expect(server.asked).toHaveLength(1);
  });

  it.each([400, 502])("does not flood the terminal (%i)", async (status) => {
    const long = megabyte.slice(0, 100_000);
    const texts = [{ detail: long }, long, { detail: [{ loc: [long], msg: long }] }];
    for (const body of texts) {
      const { error } = await failing((response) =>
        respond(response, status, body, { "x-request-id": "y".repeat(9_000) }),
      );
      expect(error.message.length).toBeLessThan(800);
    }
  });
});

describe("an id", () => {
  it.each(["../v1/keys", "a/b", "a?b=c", "a#b", "%2e%2e", "a b", "é", "a\r\nX: y"])(
    "of the state stays in its place of the path: %j (K27)",
    async (id) => {
      const server = await serve((response) => respond(response, 204));
      await connect(server.url).client.delete(id, {});
      expect(server.asked.map(({ url }) => url)).toEqual([`/v2/deployments/${encodeURIComponent(id)}`]);
    },
  );

  it.each(["..", ".", ""])("of the state that is a step in a path is none: %j (F11)", async (id) => {
    const server = await serve((response) => respond(response, 204));
    const error = await rejectionOf(connect(server.url).client.delete(id, {}));
    expect(error.message).toBe(`"${id}" cannot be an id`);
    expect(server.asked).toEqual([]);
  });

  it.each(["..", ".", "a,b", "a/b", "", "x\u001b[2J", "a".repeat(300)])(
    "of the service that would mean something else elsewhere is shown as none: %j (K27)",
    async (id) => {
      const body = { resources: [{ id, name: "a", source: "s", status: "READY" }], offset: 0 };
      const server = await serve((response) => respond(response, 200, body));
      const page = await connect(server.url).client.list({}).next();
      expect(page.value).toMatchObject([{ id: "", name: "a" }]);
    },
  );

  it("in a query is escaped, like a name (K23)", async () => {
    const server = await serve((response) => respond(response, 200, { resources: [], offset: 0 }));
    await connect(server.url).client.find("a&limit=1#b,c d/%2e\r\n");
    expect(server.asked[0]?.url).toMatch(
      /^\/v2\/deployments\?name_contains=a%26limit%3D1%23b%2Cc%20d%2F%252e%0D%0A&limit=100$/,
    );
  });
});

it.each(["text/plain", "text/html", "application/json"])(
  "a damaged response is not repeated, since anything in it may be secret: %s",
  async (type) => {
    const page = '{"resources":[{"name":"a","secrets":[{"name":"KEY","value":"sesame-0pens"}]}';
    const { error } = await failing((response) => respond(response, 200, page, { "content-type": type }));
    expect(error.message).toBe("GET /v2/deployments answered 200 with JSON that is truncated or damaged");
  },
);
