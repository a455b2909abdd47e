/** Holds every law of the table for one of the providers, on each of its SDKs. */
import { afterAll, beforeAll, beforeEach, describe, it } from "vitest";
import type { Adapter } from "../../support/adapters";
import type { Law, World } from "./law";
import { table } from "./table";
import { startWorld } from "./world";

export function holdLaws(adapter: Adapter): void {
  const [[, first]] = adapter.sdks as [readonly [string, string]];
  describe.each(adapter.sdks)(`${adapter.title}, on %s`, (_, sdk) => {
    let world: Awaited<ReturnType<typeof startWorld>>;
    beforeAll(async () => void (world = await startWorld(adapter, sdk)));
    beforeEach(() => world.reset());
    afterAll(() => world?.end());

    const hold = (when: Law["when"]) => {
      for (const [topic, laws] of table) {
        const held = laws.filter(
          (law) =>
            law.when === when &&
            (law.only === undefined || law.only.adapter === adapter.name) &&
            (law.isOfOneSdk === undefined || sdk === first),
        );
        if (held.length > 0) describe(topic, () => held.forEach((law) => holdOne(law, () => world)));
      }
    };
    describe("before it is configured", () => hold("before it is configured"));
    describe("once it is configured", () => {
      beforeAll(() => world.provider.configure(world.settings));
      hold(undefined);
    });
    describe("at the end", () => hold("at the end"));
  });
}

function holdOne({ says, only, holds }: Law, world: () => World): void {
  it(only === undefined ? says : `${says} (this one alone: ${only.why})`, () => holds(world()));
}
