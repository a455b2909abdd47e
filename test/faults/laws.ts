/** Laws for every way to end a run. Each way has its own file, so that they run in parallel. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isLong } from "../support/runs";
import { cases, type Phase } from "./cases";
import { isAlive, providersOf, ways, type Way } from "./ways";
import { World } from "./world";

const clearing = { args: ["--clear-pending-creates"] };
const sayingWhatToType =
  /error: (\S+)(?: \(\S+\))?: create failed: POST \S+ answered 409 Conflict: .* An interrupted `pulumi up` probably created it: .* set `adopt: true`/g;

export function lawsOf(name: keyof typeof ways): void {
  const way: Way = ways[name];
  describe(`a run that ends by ${way.title}, at every request of every operation`, () => {
    let world: World;
    beforeAll(async () => void (world = await World.start()));
    afterAll(() => world?.end());

    /** Ends a run in the middle, and frees the stack if the engine asks for it. */
    const interrupt = async (phase: Phase) => {
      const { stack, emulator } = world;
      const command = await world.standStill(phase);
      const providers = providersOf(command);
      const { exitCode } = await way.end(command, () => world.cut());
      expect(exitCode).not.toBe(0);
      await expect.poll(() => providers.filter(isAlive), { timeout: 10_000 }).toEqual([]);
      world.cut();
      world.letGo();
      emulator.clearRequests();
      if (!way.leavesLock) return;
      const refused = await stack.up({ expectFailure: true });
      expect(refused.output).toMatch(
        /the stack is currently locked .* delete the lock file with `pulumi cancel`/,
      );
      await stack.cancel();
    };

    it("loses and doubles nothing that it creates or changes, and says what to type", async () => {
      const { stack, emulator } = world;
      await interrupt("changes");
      const made = cases.filter(({ phase }) => phase === "changes");
      const must = made.filter((faultCase) => way.mustAdopt(faultCase)).map(({ name }) => name);
      const mayNot = made.filter((faultCase) => way.mustAdopt(faultCase) === false).map(({ name }) => name);

      if (way.refreshesFirst) await stack.refresh(clearing);
      // Without this flag, the engine starts no further resource after a failure.
      const expectFailure = must.length > 0;
      const { output } = await stack.up({ args: ["--continue-on-error"], expectFailure });
      const refused = new Set([...output.matchAll(sayingWhatToType)].map(([, name]) => name));
      for (const { name } of made) if (refused.has(name)) world.adopted.add(name);
      expect([...world.adopted]).toEqual(expect.arrayContaining(must));
      expect(mayNot.filter((each) => world.adopted.has(each))).toEqual([]);

      if (refused.size > 0) {
        if (!way.refreshesFirst) await stack.refresh(clearing);
        expect(world.pending()).toEqual([]);
        emulator.clearRequests();
        world.declare();
        const adopting = await stack.up();
        expect(adopting.output).not.toContain("pending operations");
        expect(emulator.requests().filter(({ method }) => method === "POST")).toEqual([]);
        expect(adopting.output.match(/: adopts the existing deployment/g)?.length).toBeGreaterThanOrEqual(
          must.length,
        );
      }
      expect(world.disagreements()).toEqual([]);
    });

    /** Whether this phase is played too, besides the changes. */
    const ends = (phase: Phase) => isLong || (way.plainly?.includes(phase) ?? true);

    it.runIf(ends("deletions"))("loses and forgets nothing that it deletes", async () => {
      await interrupt("deletions");
      await world.stack.up();
      expect(world.disagreements()).toEqual([]);
    });

    it.runIf(ends("deletions"))("leaves nothing to do once that is repaired", async () => {
      world.emulator.clearRequests();
      await world.stack.preview({ args: ["--expect-no-changes"] });
      expect(world.emulator.requests()).toEqual([]);
    });

    it.runIf(ends("destroy"))("leaves nothing behind when everything is destroyed", async () => {
      await interrupt("destroy");
      await world.stack.destroy();
      expect(world.emulator.deployments()).toEqual([]);
      expect(world.stack.state().resources).toEqual([]);
    });
  });
}
