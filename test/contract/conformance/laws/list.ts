/** The method List, for commands that search a provider's resources. */
import { expect } from "vitest";
import type { Emulator } from "../../../../emulator";
import type { PackagedProvider } from "../../../support/adapters";
import { lowest, secret } from "../../../support/provider-process";
import { onlyPackaged, unknown, type Law, type World } from "../law";

const onlyResources = "the stock process lists nothing, and the engine has no schema of dynamic resources";

/** A law for the SDKs that know the method. */
function listed(says: string, holds: (world: World<PackagedProvider>) => Promise<void>): Law {
  return onlyPackaged(onlyResources, says, async (world) => {
    if (world.sdk !== lowest) await holds(world);
  });
}

const namesOf = (found: readonly { readonly name: string }[]) => found.map(({ name }) => name).sort();
const names = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `chat-${from + index}`).sort();

function make(service: Emulator, count: number) {
  for (let index = 0; index < count; index++)
    service.create({
      name: `chat-${index}`,
      source: "external_container",
      source_config: { build_on_push: null },
      source_revision_config: { image_uri: "registry.example.com/chat:1" },
      secrets: [{ name: "KEY", value: "sesame-0pens" }],
    });
}

export const listing: readonly Law[] = [
  onlyPackaged(
    onlyResources,
    "is there with every SDK that knows the method, and is not implemented with another",
    async ({ provider: { plugin }, sdk }) => {
      const call = plugin.list({});
      if (sdk === lowest) await expect(call).rejects.toThrow(/not implement/);
      else expect(await call).toEqual({ found: [], isComputed: false, next: "" });
    },
  ),

  listed(
    "returns what can be imported, by id and name and without secrets",
    async ({ provider, service }) => {
      make(service, 2);
      service.change("chat-1", (record) => void (record.status = "AWAITING_DELETE"));
      const { plugin } = provider;
      const { id } = service.deployment("chat-0")!;
      const all = await plugin.list({ nameContains: null });
      expect(all).toEqual({ found: [{ id, name: "chat-0" }], isComputed: false, next: "" });
      expect((await plugin.read("chat-0", id)).id).toBe(id);
    },
  ),

  listed("takes the filters of the service's list", async ({ provider: { plugin }, service }) => {
    make(service, 12);
    const { id } = service.deployment("chat-7")!;
    expect(namesOf((await plugin.list({ nameContains: "t-1" })).found)).toEqual([
      "chat-1",
      "chat-10",
      "chat-11",
    ]);
    expect(namesOf((await plugin.list({ deploymentIds: [secret(id)] })).found)).toEqual(["chat-7"]);
    expect((await plugin.list({ status: "AWAITING_DATABASE" })).found).toEqual([]);
  }),

  listed("ends a page where the caller asks, and goes on from its token", async ({ provider, service }) => {
    const { plugin } = provider;
    make(service, 5);
    const first = await plugin.list({}, { pageSize: 2 });
    const second = await plugin.list({}, { pageSize: 2, continuation: first.next });
    const third = await plugin.list({}, { pageSize: 2, continuation: second.next });
    expect([first, second, third].map(({ found, next }) => [found.length, next !== ""])).toEqual([
      [2, true],
      [2, true],
      [1, false],
    ]);
    expect(namesOf([first, second, third].flatMap(({ found }) => found))).toEqual(names(0, 5));
  }),

  listed(
    "counts the limit over all pages, whether the caller repeats it or sends what is left, and reads no further",
    async ({ provider: { plugin }, service }) => {
      make(service, 205);
      for (const nextLimit of [103, 3]) {
        service.clearRequests();
        const first = await plugin.list({}, { limit: 103 });
        const rest = await plugin.list({}, { limit: nextLimit, continuation: first.next });
        expect([first.found.length, rest.found.length, rest.next]).toEqual([100, 3, ""]);
        expect(service.requests().filter(({ method }) => method === "GET")).toHaveLength(2);
      }
      service.clearRequests();
      expect(await plugin.list({}, { limit: 100 })).toMatchObject({ next: "" });
      expect(service.requests()).toHaveLength(1);
    },
  ),

  listed("refuses what it cannot list, and says what it can", async ({ provider: { plugin }, service }) => {
    make(service, 2);
    await expect(plugin.list({ name: "chat", sta: 1 })).rejects.toThrow(
      "list: unknown filter name, sta: use nameContains, status, remoteReconciled, tagValueIds, imageVersion, " +
        "deploymentType, deploymentIds.",
    );
    await expect(plugin.list({ deploymentType: "tiny" })).rejects.toThrow(
      /^list: deploymentType: expected one of /,
    );
    await expect(plugin.list({}, { token: "deployment-service:index:Other" })).rejects.toThrow(
      "unknown resource type deployment-service:index:Other; this package has deployment-service:index:Deployment",
    );
    const { next } = await plugin.list({}, { pageSize: 1 });
    await plugin.list({}, { continuation: next });
    await expect(plugin.list({}, { continuation: next })).rejects.toThrow(
      "list: unknown continuation token: each is valid once, so list from the start",
    );
    expect(await plugin.list({ nameContains: unknown })).toEqual({ found: [], isComputed: true, next: "" });
  }),

  listed(
    "fails as the service fails, without the query's secrets",
    async ({ provider: { plugin }, service }) => {
      service.fail({ how: { status: 403, body: { detail: "not for sesame-0pens" } } });
      const call = plugin.list({ nameContains: secret("sesame-0pens") });
      const message = await call.then(String, String);
      expect(message).toMatch(/list: GET .* answered 403/);
      expect(message).not.toContain("sesame-0pens");
    },
  ),
];
