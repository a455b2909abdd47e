import { expect, it } from "vitest";
import { VirtualClock } from "../../emulator";
import { call, start } from "./support";

it("takes so many requests in any second, and refuses more with the time to wait; nothing is done of those", async () => {
  const clock = new VirtualClock();
  const emulator = await start({ clock, requestsPerSecond: 2 });
  const create = (name: string) =>
    call(emulator, "POST", "/v2/deployments", {
      name,
      source: "external_container",
      source_config: {},
      source_revision_config: { image_uri: "registry.example.com/app:1" },
      secrets: [],
    });
  const statuses = async (...names: string[]) => {
    const all = [];
    for (const name of names) all.push((await create(name)).status);
    return all;
  };
  expect(await statuses("a")).toEqual([201]);
  clock.advance(500);
  expect(await statuses("b", "c")).toEqual([201, 429]);
  expect((await create("c")).headers.get("retry-after")).toBe("1");
  expect(emulator.deployments().map(({ name }) => name)).toEqual(["a", "b"]);

  // The first of them is a second ago.
  clock.advance(500);
  expect(await statuses("c", "d")).toEqual([201, 429]);
  emulator.configure({ requestsPerSecond: 0 });
  expect(await statuses("d", "e")).toEqual([201, 201]);
});
