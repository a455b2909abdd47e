/** A run that ends before it is done. A plain run kills the engine, `npm run test:long` ends it in every way. */
import { expect, it } from "vitest";
import { isLong } from "../support/runs";
import { cases } from "./cases";
import { isAlive, providersOf, ways, type Way } from "./ways";
import { World } from "./world";

const clearing = { args: ["--clear-pending-creates"] };
const sayingWhatToType =
  /error: (\S+)(?: \(\S+\))?: create failed: POST \S+ answered 409 Conflict: .* If an interrupted `pulumi up` of this stack created it, .* set `adopt: true`/g;

/** Ends a run in the middle, and frees the stack if the engine asks for it. */
async function interrupt(world: World, way: Way): Promise<void> {
  const { stack, emulator } = world;
  const command = await world.standStill();
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
}

const played: Readonly<Record<string, Way>> = isLong ? ways : { engine: ways.engine };

it.concurrent.for(Object.values(played))(
  "a run that ends by $title, at every request of every operation, loses and doubles nothing, and the next says what to type",
  async (way, { onTestFinished }) => {
    const world = await World.start();
    onTestFinished(() => world.end());
    const { stack, emulator } = world;
    await interrupt(world, way);
    const must = cases.filter((faultCase) => way.mustAdopt(faultCase)).map(({ name }) => name);
    const mayNot = cases.filter((faultCase) => way.mustAdopt(faultCase) === false).map(({ name }) => name);

    if (way.refreshesFirst) await stack.refresh(clearing);
    // Without this flag, the engine starts no further resource after a failure.
    const expectFailure = must.length > 0;
    const { output } = await stack.up({ args: ["--continue-on-error"], expectFailure });
    const refused = new Set([...output.matchAll(sayingWhatToType)].map(([, name]) => name));
    for (const { name } of cases) if (refused.has(name)) world.adopted.add(name);
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
  },
);
