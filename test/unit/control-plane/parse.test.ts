import { describe, expect, it } from "vitest";
import type { Client } from "../../../provider/control-plane/client";
import { langsmith } from "../../../provider/dialects/langsmith";
import { standard } from "../../../provider/dialects/standard";
import { parseResponse } from "../../../provider/control-plane/parse";
import { WireDeployment, WirePage } from "../../../schema/wire";
import { connect, failureOf, get, post } from "../../support/http";
import { respond, serve, type Handler } from "../../support/server";

const deployment = { id: "d1", name: "chat", source: "internal_source", status: "READY" };
const { id: _, ...nameless } = deployment;

it.each([
  [WireDeployment, nameless, post, "id: is required"],
  [WireDeployment, nameless, { ...post, method: "PATCH" as const }, "id: is required"],
  [WireDeployment, undefined, post, "the response: "],
  [WirePage, { resources: {}, offset: 2 }, get, "resources: expected a list, got an object"],
  [WirePage, { resources: [], offset: null }, get, "offset: "],
])(
  "a response of another shape names the place, and leaves a write ambiguous: %# (A08, C12)",
  (shape, body, call, place) => {
    const parse = () => parseResponse<typeof WireDeployment | typeof WirePage>(shape, body, call);
    expect(parse).toThrow(
      `${call.method} /v2/deployments answered in a shape that is not the service's (${place}`,
    );
    expect(parse).toThrow(expect.objectContaining({ kind: "foreign", isAmbiguous: call !== get }));
  },
);

it.each(
  "url image_version route_through_gateway deployment_tier database_tier display_name shareable tracer_session_id".split(
    " ",
  ),
)("%s of another type is treated as not shown, so that a deployment that was created is recorded", (name) => {
  const shown = { ...deployment, [name]: {} };
  expect(parseResponse(WireDeployment, shown, post)).toEqual({ ...deployment, [name]: undefined });
});

describe("a response with other deployments than requested", () => {
  const [asked, another] = ["6f0e6c1a-0000-4000-8000-00000000000a", "6f0e6c1a-0000-4000-8000-00000000000b"];
  const listing =
    (...ids: string[]): Handler =>
    (response) =>
      respond(response, 200, { resources: ids.map((id) => ({ ...deployment, id })), offset: ids.length });
  const clientOf = async (handler: Handler, dialect = standard) =>
    connect((await serve(handler)).url, { dialect }).client;

  it.each([
    ["read", (client: Client) => client.read(asked)],
    ["poll", (client: Client) => client.poll(asked)],
    ["lookup", (client: Client) => client.byIds([asked])],
  ])("does not show in a %s that the deployment is deleted (E32)", async (_, ask) => {
    const error = await failureOf(ask(await clientOf(listing(another))));
    const message = "GET /v2/deployments returned a different deployment than requested";
    expect(error).toMatchObject({ kind: "foreign", message });
  });

  it("is not mistaken for the deployment that was requested by itself (E32)", async () => {
    const client = await clientOf((response, { url }) => {
      if (url.includes("?")) respond(response, 200, { resources: [], offset: 0 });
      else respond(response, 200, { ...deployment, id: another });
    }, langsmith);
    const error = await failureOf(client.read(asked));
    expect(error).toMatchObject({ kind: "foreign", message: expect.stringContaining(asked) as string });
    expect(error.message).not.toContain(another);
  });

  it("does not affect those that were requested, in either letter case", async () => {
    const client = await clientOf(listing(another, asked));
    expect(await client.byIds([asked])).toMatchObject([{ id: asked }]);
    expect(await client.byIds([asked.toUpperCase()])).toMatchObject([{ id: asked }]);
  });
});
