/** Tests every law of the table for a provider, on each of its SDKs, in order. */
import { afterAll, beforeAll, beforeEach, describe, it } from "vitest";
import type { Adapter } from "../../support/adapters";
import { isLong } from "../../support/runs";
import { table } from "./table";
import { startWorld } from "./world";

/** Topics about the protocol. A plain run tests them on each SDK, and the rest only on the first. */
const ofEachSdk = ["check", "the operations", "secrets", "the end"];

export function holdLaws(adapter: Adapter): void {
  const [[, first]] = adapter.sdks as [readonly [string, string]];
  describe.each(adapter.sdks)(`${adapter.title}, on %s`, (_, sdk) => {
    let world: Awaited<ReturnType<typeof startWorld>>;
    beforeAll(async () => {
      world = await startWorld(adapter, sdk);
      await world.provider.configure(world.settings);
    });
    beforeEach(() => world.reset());
    afterAll(() => world?.end());

    for (const [topic, all] of table) {
      if (!isLong && sdk !== first && !ofEachSdk.includes(topic)) continue;
      const laws = all.filter(({ only }) => only === undefined || only.adapter === adapter.name);
      // A suite without a test is an error.
      if (laws.length === 0) continue;
      describe(topic, () => {
        for (const { says, only, holds } of laws)
          it(only === undefined ? says : `${says} (this one alone: ${only.why})`, () => holds(world));
      });
    }
  });
}
