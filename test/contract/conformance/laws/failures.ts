import { expect } from "vitest";
import type { Held, Provider } from "../../../support/adapters";
import { canary, expectNoTrace } from "../../../support/canary";
import { memoryOf, secret } from "../../../support/provider-process";
import { app, failureOf, law, onlyDynamic, onlyPackaged, type Law } from "../law";

const secrets = { KEY: "sesame-0pens" };

const failing_: Readonly<Record<string, (provider: Provider, old: Held) => Promise<unknown>>> = {
  refresh: (provider, old) => provider.read(old),
  update: async (provider, old) =>
    provider.update(old, await provider.check(app("chat", { secrets, triggers: "again" }), old)),
  delete: (provider, old) => provider.delete(old),
};

export const failing: readonly Law[] = [
  law(
    "a creation whose rollout does not end in its time keeps the resource, marked as failed (A04, H07, H14)",
    async ({ provider, service }) => {
      service.configure({ rollout: "never" });
      const checked = await provider.check(app("chat", { secrets }, { create: "600ms" }));
      const { message, reasons, held } = await failureOf(provider.create(checked));
      const { id, latest_revision_id: revision } = service.deployment("chat")!;
      expect(message).toMatch(/^chat: create failed: the rollout did not finish within 600ms: /);
      expect(reasons).toEqual([message]);
      expect(held?.id).toBe(id);
      expect(held?.state).toMatchObject({
        ...checked.inputs,
        secrets: secret(secrets),
        latestRevisionId: revision,
      });
      expect(memoryOf(held!.state)).toMatchObject({ rollout: { revision } });
    },
  ),

  law(
    "an update whose rollout does not end does so too, and the next one takes the state that it gave (C09, C10, C13, C14)",
    async ({ provider, service, up }) => {
      const old = await up(app("chat"));
      service.configure({ rollout: "never" });
      const checked = await provider.check(app("chat", { triggers: "again" }, { update: "600ms" }), old);
      const { held } = await failureOf(provider.update(old, checked));
      expect(held).toMatchObject({ id: old.id, state: { generation: 1 } });

      service.finish("chat");
      service.clearRequests();
      const again = await provider.check(checked.declared, held);
      expect(await provider.diff(held!, again)).toMatchObject({ isChanged: true, replaces: [] });
      const { state } = await provider.update(held!, again);
      expect(service.requests().map(({ method }) => method)).not.toContain("PATCH");
      expect(state).toMatchObject({ status: "READY", generation: 2 });
      expect(memoryOf(state)).not.toHaveProperty("rollout");
    },
  ),

  law(
    "a creation that the engine repeats after an unfinished one keeps its deployment, even if it cannot reach the service, and continues to wait",
    async ({ provider, service }) => {
      service.configure({ rollout: "never" });
      const checked = await provider.check(app("chat", { secrets }, { create: "1s" }));
      const { held: first } = await failureOf(provider.create(checked));
      const refused = service.fail({ how: { status: 403 }, times: "always" });
      const { held: again } = await failureOf(provider.create(checked));
      expect(again?.id).toBe(first!.id);
      refused.cancel();
      service.finish("chat");
      const { id, state } = await provider.create(checked);
      expect(id).toBe(first!.id);
      expect(state).toMatchObject({ status: "READY", generation: 1 });
      const writes = service.requests().filter(({ method }) => method !== "GET");
      expect(writes.map(({ method }) => method)).toEqual(["POST"]);
    },
  ),

  law(
    "an update that the engine repeats after an unfinished one sends nothing again",
    async ({ provider, service, up }) => {
      const old = await up(app("chat"));
      service.configure({ rollout: "never" });
      const checked = await provider.check(app("chat", { triggers: "again" }, { update: "1s" }), old);
      await failureOf(provider.update(old, checked));
      service.finish("chat");
      expect((await provider.update(old, checked)).state).toMatchObject({ status: "READY", generation: 2 });
      expect(service.requests().filter(({ method }) => method !== "GET")).toHaveLength(1);
    },
  ),

  law(
    "a refused creation gives no resource, and one text that names everything but secrets, those of its containers included (A24)",
    async ({ provider, service }) => {
      const [token, password, word] = [canary("token"), canary("password"), "plainwords"];
      const args = [`--token=${token}`, "--password", password];
      const sidecars = [{ name: "log", args, env: [{ name: "LOG_API_KEY", value: word }] }];
      const detail = `sesame-0pens is not allowed, nor are ${JSON.stringify(args)} and ${word}`;
      service.fail({ when: { method: "POST" }, how: { status: 422, body: { detail } } });
      const declared = app("chat", { secrets, sourceConfig: { resourceSpec: { sidecars } } });
      const { message, reasons, held } = await failureOf(provider.create(await provider.check(declared)));
      expect(held).toBeUndefined();
      expect(message).toMatch(/^chat: create failed: .*422.*is not allowed/);
      expect(message).toContain('nor are ["[secret]","--password","[secret]"] and [secret]');
      expect(message).not.toMatch(/\n|sesame-0pens|\bat .*:\d+:\d+/);
      expectNoTrace([message, ...reasons].join(), { token, password });
      expect(provider.process.output).toBe("");
    },
  ),

  ...Object.entries(failing_).map(([operation, call]) =>
    law(
      `a failed ${operation} says what happened, and no secret (E04, I06)`,
      async ({ provider, service, up }) => {
        const old = await up(app("chat", { secrets }));
        service.fail({ how: { status: 403, body: { detail: "not for sesame-0pens" } }, times: "always" });
        const { message } = await failureOf(call(provider, old));
        expect(message).toMatch(new RegExp(`^chat: ${operation} failed: .*403.*deployment-service:tenantId`));
        expect(message).not.toMatch(/\n|sesame-0pens|\bat .*:\d+:\d+/);
      },
    ),
  ),

  law("a failure that all resources share is explained once", async ({ provider, service, up }) => {
    const [chat, search] = [await up(app("chat")), await up(app("search"))];
    service.fail({ how: { status: 401 }, times: "always" });
    await failureOf(provider.delete(chat));
    const { message } = await failureOf(provider.delete(search));
    expect(message).toContain('401 Unauthorized, as explained for "chat"');
  }),

  ...(["refresh", "delete"] as const).map((operation) =>
    onlyDynamic(
      "the stock process prints some errors a second time",
      `a failed ${operation} is printed as one short line`,
      async ({ provider, service, up }) => {
        const old = await up(app("chat"));
        provider.process.forget();
        // A poll of the `up` may still be on its way.
        service.fail({ how: { status: 403 }, times: "always" });
        await failureOf(failing_[operation]!(provider, old));
        // It arrives through a different pipe than the response.
        const line = `chat: ${operation} failed: see the error on the resource\n`;
        await expect.poll(() => provider.process.output).toBe(line);
      },
    ),
  ),

  onlyPackaged(
    "the stock process prints some errors a second time",
    "what fails is not printed a second time",
    async ({ provider, service, up }) => {
      const old = await up(app("chat"));
      service.fail({ how: { status: 403 }, times: "always" });
      for (const call of Object.values(failing_)) await failureOf(call(provider, old));
      await failureOf(provider.create(await provider.check(app("search"))));
      expect((await provider.check(app("search", { source: "elsewhere" }))).failures).toHaveLength(1);
      // By now its output has arrived.
      await provider.process.version();
      expect(provider.process.output).toBe("");
    },
  ),

  law(
    "a deletion that does not end fails after its time, which is an option of the resource (I08)",
    async ({ provider, service, up }) => {
      service.configure({ deletion: "never" });
      const old = await up(app("chat", {}, { delete: "1s" }));
      const { message } = await failureOf(provider.delete(old));
      expect(message).toMatch(/^chat: delete failed: the deployment was not deleted within 1s\. /);
    },
  ),
];
