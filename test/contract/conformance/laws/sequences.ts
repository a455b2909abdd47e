/** Several runs in sequence, with events between them. */
import { expect } from "vitest";
import { remembering } from "../../../support/provider-process";
import { app, failureOf, image, law, type Law } from "../law";

export const running: readonly Law[] = [
  law(
    "deletes what it has compared as unchanged, if an option of the resource then replaces it",
    async ({ service, up, nextRun }) => {
      const old = await up(app("chat"));
      const next = await nextRun();
      await next.diff(old, await next.check(app("chat", image("2")), old));
      // The engine replaces it anyway, and first checks a new resource.
      const anew = await next.check(app("chat", image("2")));
      expect(next.process.messages.at(-1)!.text).toMatch(
        /^chat: creates a new deployment that keeps nothing of the old/,
      );
      await next.delete(old);
      const made = await next.create(anew);
      expect(made.id).not.toBe(old.id);
      expect(service.deployments().map(({ id }) => id)).toEqual([made.id]);
    },
  ),

  law("refuses a state that a newer version wrote, or that is damaged", async ({ provider, up }) => {
    const old = await up(app("chat"));
    const checked = await provider.check(app("chat"), old);
    const later = { ...old, state: remembering(old.state, { version: 2 }) };
    for (const call of [provider.diff(later, checked), provider.read(later), provider.delete(later)]) {
      expect((await failureOf(call)).message).toContain(
        "the state of this deployment cannot be read: __private.version expected 1. If a newer pulumi-deployment-service wrote it",
      );
    }
    const damaged = { ...old, state: remembering(old.state, { shown: 7 }) };
    expect((await failureOf(provider.diff(damaged, checked))).message).toContain(
      "the state of this deployment cannot be read: __private.shown expected an object, got a number",
    );
  }),
];
