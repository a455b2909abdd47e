/** Several runs in sequence, with events between them. */
import { expect } from "vitest";
import type { Values } from "../../../support/provider-process";
import { app, image, law, onlyPackaged, type Law } from "../law";

export const running: readonly Law[] = [
  law(
    "deletes what it has compared as unchanged, if an option of the resource then replaces it",
    async ({ service, up, nextRun }) => {
      const old = await up(app("chat"));
      const next = await nextRun();
      await next.diff(old, await next.check(app("chat", image("2")), old));
      // The engine replaces it anyway, and first checks a new resource.
      const anew = await next.check(app("chat", image("2")));
      expect(next.messages.at(-1)!.text).toMatch(
        /^chat: creates a new deployment that keeps nothing of the old/,
      );
      await next.delete(old);
      const made = await next.create(anew);
      expect(made.id).not.toBe(old.id);
      expect(service.deployments().map(({ id }) => id)).toEqual([made.id]);
    },
  ),

  onlyPackaged(
    "the engine asks no dynamic provider what an update would give",
    "refuses a state that cannot be read in the preview of an update too, in words",
    async ({ provider: { plugin }, up }) => {
      const { id, inputs, state } = await up(app("chat"));
      const preview = (damaged: Values) =>
        plugin.update("chat", id, { ...state, ...damaged }, inputs, { preview: true });
      await expect(preview({ sourceConfig: 7, __private: '{"shown":7}' })).rejects.toThrow(
        "chat: update failed: the state of this deployment cannot be read: __private.shown expected an object, got a number",
      );
      await expect(preview({ __private: '{"version":2}' })).rejects.toThrow(
        "was written by a newer pulumi-deployment-service",
      );
    },
  ),
];
