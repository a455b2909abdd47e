/** How the client shares its requests, on a service that tells of its revisions. */
import { describe, expect, it } from "vitest";
import { langsmith } from "../../../provider/dialects/langsmith";
import type { Client } from "../../../provider/control-plane/client";
import { langsmith as rules, type Emulator, type EmulatorOptions } from "../../../emulator";
import { start } from "../../support/emulator";
import { connect, failureOf } from "../../support/http";
import { respond, serve } from "../../support/server";

async function clientOf(options: Partial<EmulatorOptions> = {}) {
  const emulator = await start({ rules, ...options });
  const { client } = connect(emulator.url, { dialect: langsmith, apiKey: emulator.apiKey });
  const make = (name: string) =>
    emulator.create({
      name,
      source: "external_docker",
      source_config: { resource_spec: {} },
      source_revision_config: { image_uri: "chat:1" },
      secrets: [],
    }).id;
  const asked = () =>
    emulator.requestLines().map((line) => line.replace(/ \d+$/, "").replaceAll(/[0-9a-f-]{36}/g, "<id>"));
  return { emulator, client, make, asked };
}

const list = "GET /v2/deployments";
/** What every list of the service is answered from now on. */
const answerLists = (emulator: Emulator, ...resources: object[]) =>
  emulator.fail({
    when: { path: /deployments$/, method: "GET" },
    times: "always",
    how: { status: 200, body: { resources, offset: resources.length } as never },
  });
/** The status of each, as someone sees it who waits for its deletion. */
const statusesOf = async (client: Client, ids: readonly string[]) => {
  const seen = await Promise.all(ids.map((id) => client.poll(id, { awaitsDeletion: true })));
  return seen.map((each) => each?.status);
};
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `app-${at}`);

describe("60 deletions", () => {
  it("are followed with one request, if the list shows deployments that are being deleted", async () => {
    const { emulator, client, make, asked } = await clientOf({ deletion: { polls: 2 } });
    const ids = numbered(60).map(make);
    await Promise.all(ids.map((id) => client.delete(id, {})));
    emulator.clearRequests();
    for (const status of ["AWAITING_DELETE", "AWAITING_DELETE", undefined])
      expect(new Set(await statusesOf(client, ids))).toEqual(new Set([status]));
    expect(asked()).toEqual([list, list, list]);
  });

  it("are not taken as finished if the list hides deployments that are being deleted", async () => {
    const { emulator, client, make } = await clientOf({ deletion: { polls: 3 } });
    const ids = numbered(4).map(make);
    await Promise.all(ids.map((id) => client.delete(id, {})));
    answerLists(emulator);
    for (const status of [...Array<string>(3).fill("AWAITING_DELETE"), undefined])
      expect(await statusesOf(client, ids)).toEqual(Array(4).fill(status));
  });

  it("are not taken as finished because the list also omits one that is finished", async () => {
    const { emulator, client, make } = await clientOf({ deletion: { polls: 0 } });
    const [gone = "", going = ""] = numbered(2).map(make);
    answerLists(emulator);
    await client.delete(gone, {});
    emulator.configure({ deletion: { polls: 3 } });
    await client.delete(going, {});
    expect(await statusesOf(client, [gone, going])).toEqual([undefined, "AWAITING_DELETE"]);
  });
});

describe("a malformed deployment", () => {
  const odd = { id: 7, name: "their-chat", status: "READY" };

  it("affects neither reads by id nor lookups by name", async () => {
    const { emulator, client, make } = await clientOf();
    const id = make("chat");
    const wire = (
      (await (
        await fetch(`${emulator.url}/v2/deployments`, { headers: { "X-Api-Key": emulator.apiKey } })
      ).json()) as { resources: object[] }
    ).resources[0]!;
    answerLists(emulator, odd, wire);
    expect(await client.read(id.toUpperCase())).toMatchObject({ id });
    expect((await client.find("chat")).deployment).toMatchObject({ id });
    expect((await failureOf(client.find("their-chat"))).message).toContain("(resources[0].id: ");
    expect((await client.list({}).next()).value).toMatchObject([{ id: "", name: "their-chat" }, { id }]);
  });

  it.each([
    ["no status", { status: null }, { status: "" }],
    ["no source", { source: undefined }, { source: "" }],
    ["secrets of another form", { secrets: "a, b" }, { secrets: {} }],
    ["a name that is a number", { name: 7 }, { name: "" }],
    ["settings that are a text", { source_config: "none" }, { sourceConfig: {} }],
  ])("with %s is shown as far as it can be read, and stops no listing", async (_, fault, shown) => {
    const row = { id: "d1", name: "a", source: "github", status: "READY", ...fault };
    const resources = [{ ...row, ...fault }, null, { id: "d2", name: "b", source: "github", status: "SOON" }];
    const server = await serve((response) => respond(response, 200, { resources, offset: 3 }));
    const [page] = [(await connect(server.url).client.list({}).next()).value as object[]];
    expect(page).toMatchObject([{ id: "d1", ...shown }, { id: "" }, { id: "d2", status: "SOON" }]);
  });

  it("is an error only for the read that requested it", async () => {
    const { emulator, client, make } = await clientOf();
    const [ours, theirs] = [make("chat"), make("other")];
    answerLists(emulator, { ...odd, id: theirs, source: 7 }, { ...odd, id: ours, source: "github" });
    const [good, bad] = await Promise.allSettled([client.read(ours), client.read(theirs)]);
    expect(good).toMatchObject({ status: "fulfilled", value: { id: ours } });
    expect(bad).toMatchObject({ status: "rejected", reason: { kind: "foreign" } });
  });
});
