import { afterEach, expect, it, vi } from "vitest";
import { systemClock } from "../../../provider/time/clock";
import { connect } from "../../support/http";
import { respond, serve } from "../../support/server";

afterEach(() => vi.useRealTimers());

it("a request may take as long as its setting says, however long the library would wait by itself", async () => {
  let reply = () => {};
  const asked = new Promise<void>((resolve) => {
    reply = resolve;
  });
  let release = () => {};
  const server = await serve((response) => {
    release = () => respond(response, 200, { a: 1 });
    reply();
  });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { call } = connect(server.url, { requestTimeout: 3_600_000, clock: systemClock });
  const work = call({ isOnce: true });
  await asked;
  await vi.advanceTimersByTimeAsync(1_000_000);
  release();
  expect(await work).toMatchObject({ body: { a: 1 } });
});
