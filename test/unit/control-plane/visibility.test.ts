/** Whose deployments a connection can see: what a response has shown is not asked for again. */
import { expect, it } from "vitest";
import { VirtualClock } from "../../support/clock";
import { connect, failureOf } from "../../support/http";
import { respond, serve, type Handler } from "../../support/server";

const [ours, theirs] = ["aaaaaaaa-0000-4000-8000-000000000001", "bbbbbbbb-0000-4000-8000-000000000002"];
const id = "6f0e6c1a-0000-4000-8000-000000000001";
const wire = (tenant_id: unknown) => ({ id, name: "chat", source: "codehost", status: "READY", tenant_id });
const list =
  (...resources: unknown[]): Handler =>
  (response, { method }) => {
    if (method === "DELETE") respond(response, 204);
    else respond(response, 200, method === "GET" ? { resources, offset: resources.length } : resources[0]);
  };

async function clientOf(handler: Handler) {
  const server = await serve(handler);
  const clock = new VirtualClock();
  const { client } = connect(server.url, { clock });
  const asked = () => server.asked.map(({ method, url }) => `${method} ${url}`);
  return { client, clock, asked };
}

const plain = "GET /v2/deployments?limit=100";

it.each<[string, unknown[], string | null, boolean]>([
  ["its tenant, beside others", [wire(theirs), wire(ours)], ours, true],
  ["its tenant in another letter case", [wire(ours.toUpperCase())], ours, true],
  ["other tenants only", [wire(theirs)], ours, false],
  ["nothing", [], ours, false],
  ["anything, where its tenant is not known", [wire(theirs)], null, true],
  ["nothing, where its tenant is not known", [], null, false],
  ["its tenant next to a deployment that nobody understands", [{ id: 7 }, null, wire(ours)], ours, true],
  ["a deployment of no tenant", [wire(null)], ours, false],
])("what a connection sees is asked of one plain page: %s", async (_name, resources, tenant, seen) => {
  const { client, asked } = await clientOf(list(...resources));
  expect(await client.seesTenant(tenant)).toBe(seen);
  expect(asked()).toEqual([plain]);
});

it.each<[string, Handler, boolean]>([
  ["at the first try is someone else's", (response) => respond(response, 404), false],
  [
    "after a try whose response was lost may be our own",
    (response, _, count) => (count === 1 ? response.destroy() : respond(response, 404)),
    true,
  ],
  [
    "after a try that was refused for now is someone else's",
    (response, _, count) => respond(response, count === 1 ? 429 : 404),
    false,
  ],
])("a DELETE that is answered with 404 %s", async (_name, handler, isAmbiguous) => {
  const { client, clock } = await clientOf(handler);
  const work = failureOf(client.delete(id, {}));
  // The server is a real one, so that time continues only once the call waits for it.
  const ended = work.then(() => true);
  while (!(await Promise.race([ended, new Promise<false>((go) => setImmediate(() => go(false)))]))) {
    if (clock.sleeping > 0) await clock.advance(1_000);
  }
  expect(await work).toMatchObject({ kind: "not-found", isAmbiguous });
});
