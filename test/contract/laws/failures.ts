import { expect, it } from "vitest";
import {
  CallError,
  declared,
  opened,
  providerText,
  secret,
  urn,
  type Served,
} from "../../support/provider-process";

const impatient = (operation: string) => ({
  __options: { urn: urn("chat"), timeouts: { [operation]: "200ms" } },
});

/** The error that a call fails with. */
async function errorOf(call: Promise<unknown>): Promise<CallError> {
  const error = await call.then(
    () => new Error("it did not fail"),
    (reason: unknown) => reason,
  );
  if (error instanceof CallError) return error;
  throw error;
}

export function failing(served: Served): void {
  it("a creation whose rollout does not end keeps the resource, marked as failed (A04, H14)", async () => {
    served.service.configure({ rollout: "never" });
    const more = { ...impatient("create"), secrets: { KEY: "sesame-opens" } };
    const { inputs } = await served.process.check(declared("chat", more));
    const { message, partial } = await errorOf(served.process.create(inputs));
    const { id, latest_revision_id: revision } = served.service.deployment("chat")!;
    expect(message).toMatch(/^chat: create failed: the rollout did not finish within 200ms: /);
    expect(partial).toEqual({
      id,
      reasons: [message],
      properties: expect.objectContaining({
        ...inputs,
        secrets: secret({ KEY: "sesame-opens" }),
        latestRevisionId: revision,
        __private: secret(expect.objectContaining({ rollout: expect.objectContaining({ revision }) })),
        __provider: providerText,
      }),
    });
  });

  it("an update whose rollout fails does so too, and the next one takes the state that it gave (C09)", async () => {
    const { id, inputs: olds, state } = await served.up("chat");
    served.service.configure({ rollout: "never" });
    const more = { ...impatient("update"), triggers: "again" };
    const { inputs } = await served.process.check(declared("chat", more), olds);
    const { partial } = await errorOf(served.process.update(id, state, inputs));
    expect(partial).toMatchObject({ id, properties: { generation: 2, __provider: providerText } });

    served.service.finish("chat");
    served.service.clearRequests();
    const repaired = await served.process.update(id, opened(partial!.properties), inputs);
    expect(served.service.requests().map(({ method }) => method)).not.toContain("PATCH");
    expect(repaired).toMatchObject({ status: "READY", generation: 2 });
    expect(opened(repaired)["__private"]).not.toHaveProperty("rollout");
  });

  it("a refused creation gives no resource, and one text that names everything but secrets", async () => {
    const how = { status: 422, body: { detail: "image sesame-opens is not allowed" } };
    served.service.fail({ when: { method: "POST" }, how });
    const { inputs } = await served.process.check(declared("chat", { secrets: { KEY: "sesame-opens" } }));
    const { message, partial } = await errorOf(served.process.create(inputs));
    expect(partial).toBeUndefined();
    expect(message).toMatch(/^chat: create failed: /);
    expect(message).toContain("422");
    expect(message).toContain("is not allowed");
    expect(message).not.toContain("sesame-opens");
    expect(message).not.toMatch(/\n|\bat .*:\d+:\d+/);
    expect(served.process.output).toBe("");
  });

  it.each(["refresh", "delete"] as const)(
    "a failed %s says what happened once, and the process prints one short line (I06)",
    async (operation) => {
      const { id, inputs, state } = await served.up("chat", { secrets: { KEY: "sesame-opens" } });
      served.process.forget();
      const how = { status: 403, body: { detail: "not for sesame-opens" } };
      served.service.fail({ how });
      const { message } = await errorOf(
        operation === "refresh"
          ? served.process.read(id, { state, inputs })
          : served.process.delete(id, state),
      );
      expect(message).toMatch(new RegExp(`^chat: ${operation} failed: .*403.*deployment-service:tenantId`));
      expect(message).not.toMatch(/\n|sesame-opens|\bat .*:\d+:\d+/);
      // It comes through another pipe than the answer.
      const line = `chat: ${operation} failed: the reason stands with the resource
`;
      await expect.poll(() => served.process.output).toBe(line);
    },
  );

  it("a deletion that does not end fails after its time, which is an option of the resource (I08)", async () => {
    served.service.configure({ deletion: "never" });
    const { id, state } = await served.up("chat", impatient("delete"));
    const { message } = await errorOf(served.process.delete(id, state));
    expect(message).toMatch(/^chat: delete failed: the deployment was not deleted within 200ms\. /);
  });

  it("a failed call leaves the process fit for the next one", async () => {
    served.service.fail({ when: { method: "POST" }, how: { status: 422, body: { detail: "no" } } });
    const { inputs } = await served.process.check(declared("chat"));
    await errorOf(served.process.create(inputs));
    await expect(served.process.create(inputs)).resolves.toMatchObject({ properties: { status: "READY" } });
  });
}
