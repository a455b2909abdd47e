import { describe, expect, it } from "vitest";
import { remove } from "../../../provider/deployment/delete";
import { UnfinishedError } from "../../../provider/deployment/state";
import { create, update } from "../../../provider/deployment/lifecycle";
import { declare, failed, rejectionOf, served, setUp, stateAfter, type Scripts } from "../../support/service";

const declared = declare();
const rollingOut = served(declared, { status: "AWAITING_DATABASE", activeRevisionId: null });

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
  it("ends the wait of a creation at once and keeps the deployment (H08)", async () => {
    const { context, clock, service } = impatient({ create: [rollingOut], poll: [rollingOut] });
    const began = clock.now();
    const error = await rejectionOf(clock.run(create(context, declared)));
    expect(error).toBeInstanceOf(UnfinishedError);
    expect(error).toMatchObject({ id: "d1", state: { __private: { rollout: { revision: "r1" } } } });
    expect(error.message).toBe(
      "interrupted: revision r1 is not active yet, active is none, status AWAITING_DATABASE. The deployment exists and " +
        "its rollout goes on: the next `pulumi up` resumes waiting",
    );
    expect(service.methods).toEqual(["create"]);
    expect(clock.now()).toBe(began);
  });

  it("ends the wait of an update while a poll is under way (H08)", async () => {
    const user = new AbortController();
    const next = declare({ sourceRevisionConfig: { imageUri: "registry.example.com/chat:2" } }, declared);
    const updated = served(next, { latestRevisionId: "r2", activeRevisionId: "r1" });
    const { context, clock } = setUp({ update: [updated], poll: [updated] }, { signal: user.signal });
    const began = clock.now();
    void clock.sleep(3_000).then(() => user.abort());
    const error = await rejectionOf(clock.run(update(context, "d1", stateAfter(declared), next)));
    expect(error).toMatchObject({ state: { __private: { rollout: { revision: "r2", previous: ["r1"] } } } });
    expect(clock.now() - began).toBe(3_000);
  });

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

  it("ends the wait of a deletion, which the next run goes on with", async () => {
    const { context, clock, service } = impatient({ delete: [undefined] });
    expect((await rejectionOf(clock.run(remove(context, "d1")))).message).toBe(
      "interrupted: the deployment is being deleted and still there. It stays in the state: run the command again " +
        "to go on waiting, or `pulumi refresh` before the next `pulumi up`",
    );
    expect(service.methods).toEqual(["delete"]);
  });
});
