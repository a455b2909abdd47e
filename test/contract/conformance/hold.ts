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

    const held = (when: Law["when"]) =>
      table.flatMap(([topic, all]) => {
        const laws = all.filter(
          (law) =>
            law.when === when &&
            (law.only === undefined || law.only.adapter === adapter.name) &&
            (law.isOfOneSdk === undefined || sdk === first),
        );
        return laws.length > 0 ? [[topic, laws] as const] : [];
      });
    const hold = (when: Law["when"], title: string, before = () => Promise.resolve()) => {
      const topics = held(when);
      // A suite without a test is an error.
      if (topics.length === 0) return;
      describe(title, () => {
        beforeAll(before);
        for (const [topic, laws] of topics)
          describe(topic, () => laws.forEach((law) => holdOne(law, () => world)));
      });
    };
    hold("before it is configured", "before it is configured");
    hold(undefined, "once it is configured", () => world.provider.configure(world.settings));
    hold("at the end", "at the end");
  });
}

function holdOne({ says, only, holds }: Law, world: () => World): void {
  it(only === undefined ? says : `${says} (this one alone: ${only.why})`, () => holds(world()));
}
