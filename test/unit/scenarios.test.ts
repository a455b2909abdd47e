import { describe, expect, it } from "vitest";
import { sections } from "../scenarios";
import { idOf, scenarioTests } from "../tools/generated/scenarios";

const scenarios = Object.values(sections).flatMap((section) => Object.entries(section.scenarios));
const ids = scenarios.map(([id]) => id);
const held = scenarioTests().flatMap((test) => test.ids.map((id) => ({ ...test, id })));

describe("the scenarios", () => {
  it("are numbered in order, without a gap", () => {
    const numbered = Object.entries(sections).flatMap(([letter, section]) =>
      Object.keys(section.scenarios).map((_, at) => idOf(letter, at + 1)),
    );
    expect(ids).toEqual(numbered);
  });

  it("are each held by a test, or have a reason", () => {
    const without = scenarios.filter(
      ([id, scenario]) => typeof scenario === "string" && !held.some((each) => each.id === id),
    );
    expect(without).toEqual([]);
  });

  it("are the only ones that tests name", () => {
    expect(held.filter(({ id }) => !ids.includes(id))).toEqual([]);
  });
});
