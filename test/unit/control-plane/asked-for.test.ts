import { describe, expect, it } from "vitest";
import type { Client } from "../../../provider/control-plane/client";
import type { Dialect } from "../../../provider/dialects";
import { langsmith } from "../../../provider/dialects/langsmith";
import { clientAt, failureOf } from "../../support/http";
import { respond, serve, type Handler } from "../../support/server";

const [asked, another] = ["6f0e6c1a-0000-4000-8000-00000000000a", "6f0e6c1a-0000-4000-8000-00000000000b"];
const deployment = (id: string) => ({ id, name: "chat", source: "internal_source", status: "READY" });
const listing =
  (...ids: string[]): Handler =>
  (response) =>
    respond(response, 200, { resources: ids.map(deployment), offset: ids.length });

const clientOf = async (handler: Handler, dialect?: Dialect) =>
  clientAt((await serve(handler)).url, { dialect }).client;

describe("a response about other deployments than those that were asked for", () => {
  const message = "GET /v2/deployments returned a different deployment than requested";

  it.each([
    ["read", (client: Client) => client.read(asked)],
    ["poll", (client: Client) => client.poll(asked)],
    ["look-up", (client: Client) => client.byIds([asked])],
  ])("does not say in a %s that the deployment is deleted (E32)", async (_, ask) => {
    const error = await failureOf(ask(await clientOf(listing(another))));
    expect(error).toMatchObject({ kind: "foreign", message });
  });

  it("is not taken for the deployment where it can be asked for by itself (E32)", async () => {
    const client = await clientOf((response, { url }) => {
      if (url.includes("?")) respond(response, 200, { resources: [], offset: 0 });
      else respond(response, 200, deployment(another));
    }, langsmith);
    const error = await failureOf(client.read(asked));
    expect(error).toMatchObject({ kind: "foreign" });
    expect(error.message).toContain(asked);
    expect(error.message).not.toContain(another);
  });

  it("says nothing against those that were asked for and stand in it", async () => {
    const client = await clientOf(listing(another, asked));
    expect(await client.byIds([asked])).toMatchObject([{ id: asked }]);
  });

  it("is none where an id is written in capitals", async () => {
    const client = await clientOf(listing(asked));
    expect(await client.byIds([asked.toUpperCase()])).toMatchObject([{ id: asked }]);
  });
});
