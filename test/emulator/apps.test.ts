import { expect, it } from "vitest";
import { call, created, minimal, readOne, start } from "./support";

it("an application answers at the address of its deployment once a revision is active, and asks for no key", async () => {
  const emulator = await start({ apps: true, rollout: "never" });
  await created(emulator, minimal("My Chat"));
  const get = async (path: string) => (await fetch(`${emulator.url}${path}`)).status;
  expect(await get("/_apps/my-chat/ok")).toBe(503);
  emulator.finish("My Chat");
  const source_config = { custom_url: `${emulator.url}/_apps/my-chat` };
  expect(await readOne(emulator)).toMatchObject({ source_config });
  expect(await get("/_apps/my-chat/ok")).toBe(200);
  expect(await get("/_apps/search/ok")).toBe(404);
  expect(emulator.requestLines()).toContain("GET /_apps/my-chat/ok 503");
});

it("an application fails as it is told, until it is told otherwise", async () => {
  const emulator = await start({ apps: true });
  emulator.create(minimal());
  const fault = { when: { path: "/_apps/chat" }, times: "always", how: { status: 503 } };
  await call(emulator, "POST", "/_emulator/faults", fault);
  expect((await call(emulator, "GET", "/_apps/chat/ok")).status).toBe(503);
  await call(emulator, "DELETE", "/_emulator/faults");
  expect((await call(emulator, "GET", "/_apps/chat/ok")).status).toBe(200);
});
