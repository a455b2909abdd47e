/** Logs of services of two ages: the newer address, else the one that the vendor's own tools ask. */
import { expect, it } from "vitest";
import { langsmith } from "../../../provider/dialects/langsmith";
import { connect, failureOf } from "../../support/http";
import { respond, serve, type Handler } from "../../support/server";

const query = { id: "d1", revisionId: "r1", type: "build" } as const;
const newer = "GET /v2/deployments/d1/revisions/r1/logs";
const older = "POST /v1/projects/d1/revisions/r1/build_logs";

async function clientOf(handler: Handler) {
  const server = await serve(handler);
  const { client } = connect(server.url, { dialect: langsmith });
  const asked = () => server.asked.map(({ method, url }) => `${method} ${url.split("?")[0]}`);
  return { client, asked, server };
}

const onlyOlder =
  (status: number, body: unknown): Handler =>
  (response, { method }) =>
    method === "GET" ? respond(response, status, { detail: "Not Found" }) : respond(response, 200, body);

it.each([
  [404, { logs: ["a line"], next_offset: null }],
  [405, ["a line"]],
])("after %i the older address is asked, which is remembered for the run", async (status, body) => {
  const { client, asked, server } = await clientOf(onlyOlder(status, body));
  expect(await client.logTail(query)).toBe("a line");
  expect(await client.logTail(query)).toBe("a line");
  expect(asked()).toEqual([newer, older, older]);
  expect(JSON.parse(server.asked[1]!.body)).toEqual({ order: "desc", limit: 20 });
});

it("a page of the older address is asked for with the place where it begins", async () => {
  const page = { logs: [], next_offset: "7" };
  const { client, server } = await clientOf(onlyOlder(404, page));
  expect((await client.logPage(query, "3")).next).toBe("7");
  expect(JSON.parse(server.asked.at(-1)!.body)).toEqual({ order: "asc", limit: 1_000, offset: "3" });
});

it("a revision that neither address knows is reported as the newer one says it", async () => {
  const { client, asked } = await clientOf((response, { method }) =>
    respond(response, 404, { detail: method === "GET" ? "Revision ID r1 not found." : "Not Found" }),
  );
  expect((await failureOf(client.logTail(query))).message).toContain("Revision ID r1 not found");
  await failureOf(client.logTail(query));
  expect(asked()).toEqual([newer, older, newer, older]);
});

it("no other refusal leads to the older address", async () => {
  const { client, asked } = await clientOf((response) => respond(response, 403, {}));
  await failureOf(client.logTail(query));
  expect(asked()).toEqual([newer]);
});

it("a log with its times in milliseconds is read with them, the newest line last", async () => {
  const start = Date.UTC(2026, 10, 29);
  const logs = ["first", "second"].map((message, index) => ({ timestamp: start + index, message }));
  const { client } = await clientOf((response) => respond(response, 200, { logs }));
  expect((await client.logPage(query, undefined)).lines[1]?.timestamp).toBe("2026-11-29T00:00:00.001Z");
  expect(await client.logTail(query)).toMatch(/first[^]*second/);
});
