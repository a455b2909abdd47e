import { once } from "node:events";
import { expect } from "vitest";
import { FailedCall } from "../../../support/adapters";
import { app, failureOf, law, onlyPackaged, type Law } from "../law";

/** The last laws, because they end the process. */
export const ending: readonly Law[] = [
  law(
    "a Ctrl-C ends whatever is done at once, with what there is, also while the service asks to slow down (H08)",
    async ({ provider, service, up }) => {
      const old = await up(app("chat", { skipAwait: true }));
      service.configure({ rollout: "never" });
      const failure = failureOf(provider.create(await provider.check(app("bot"))));
      await expect
        .poll(() => service.requestLines(), { timeout: 20_000 })
        .toContain("GET /v2/deployments 200");
      const other = await provider.check(app("search"));
      service.fail({ times: "always", how: { status: 429, retryAfter: "60" } });
      service.clearRequests();
      const calls = [provider.create(other), provider.read(old)];
      const ended = calls.map((call) => call.catch((error: unknown) => error));
      await expect.poll(() => service.requestLines().length, { timeout: 20_000 }).toBeGreaterThan(0);
      await provider.process.cancel();

      const { message, reasons, held } = await failure;
      expect(message).toMatch(/^bot: create failed: interrupted: .* the next `pulumi up` resumes waiting\.$/);
      expect(held?.id).toBe(service.deployment("bot")?.id);
      expect(reasons).toEqual([message]);
      for (const end of ended) {
        const error = await end;
        expect(error).toBeInstanceOf(FailedCall);
        expect((error as FailedCall).message).toContain("interrupted");
      }
    },
  ),

  onlyPackaged(
    "the stock process ends when its standard input closes, which the tests of killed runs show",
    "the process ends with the engine, even if the engine is killed",
    async ({ provider }) => {
      const ended = once(provider.plugin.child, "exit");
      provider.plugin.engine.stop();
      await ended;
    },
  ),
];
