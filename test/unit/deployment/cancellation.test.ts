import { describe, expect, it } from "vitest";
import { create } from "../../../provider/deployment/create";
import { update } from "../../../provider/deployment/update";
import { declare, failed, rejectionOf, served, setUp, stateAfter, type Scripts } from "../../support/service";

const declared = declare();

/** A user who has enough as soon as the service has what was asked for. */
function impatient(scripts: Scripts) {
  const user = new AbortController();
  const setup = setUp(scripts, { signal: user.signal });
  const { service } = setup;
  for (const method of ["create", "update", "delete"] as const) {
    const send = service[method];
    service[method] = ((...args: Parameters<typeof send>) => {
      user.abort();
      return (send as (...args: unknown[]) => unknown)(...args);
    }) as never;
  }
  return setup;
}

describe("a cancellation", () => {
  it("does not send an ambiguous request again", async () => {
    const lost = failed("unreachable", { isAmbiguous: true });
    const created = impatient({ create: [lost], find: [undefined] });
    const error = await rejectionOf(created.clock.run(create(created.context, declared)));
    expect(error.message).toBe(`${lost.message}; interrupted before the next try`);
    expect(created.service.methods).toEqual(["create", "find"]);

    const next = declare({ triggers: 1 }, declared);
    const updated = impatient({ update: [lost], read: [served(declared)] });
    const work = update(updated.context, "d1", stateAfter(declared), next);
    expect(await rejectionOf(updated.clock.run(work))).toMatchObject({ message: error.message });
    expect(updated.service.methods).toEqual(["update", "read"]);
  });
});
