import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(__dirname, "..");
/** `- **A06** What holds. Not here: the reason.` */
const scenario = /^- \*\*([A-Z]\d\d)\*\* .+?( Not here: .+)?$/gm;
/** At the end of a test's name: `(A06)`, `(A06, H13)`, `(C01 to C07)`. */
const mark = /\(((?:[A-Z]\d\d(?:, | to )?)+)\)["`,]/g;

const scenarios = [...readFileSync(join(root, "scenarios.md"), "utf8").matchAll(scenario)];
const ids = scenarios.map(([, id]) => id!);
const held = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".test.ts") || file.startsWith("contract/conformance/laws/"))
  .flatMap((file) => [...readFileSync(join(root, file), "utf8").matchAll(mark)])
  .flatMap(([, marks]) => marks!.split(", ").flatMap(rangeOf));

it("each scenario has a test, or a reason why it has none", () => {
  expect(ids.length).toBeGreaterThan(200);
  const open = scenarios.filter(([, , reason]) => reason === undefined).map(([, id]) => id!);
  expect(open.filter((id) => !held.includes(id))).toEqual([]);
});

it("tests name only scenarios of the list", () => {
  expect(held.filter((id) => !ids.includes(id))).toEqual([]);
});

/** `C01 to C03` as C01, C02, C03. */
function rangeOf(text: string): string[] {
  const [first = "", last = first] = text.split(" to ");
  const [from, to] = [first, last].map((id) => Number(id.slice(1))) as [number, number];
  return Array.from(
    { length: to - from + 1 },
    (_, at) => first.charAt(0) + String(from + at).padStart(2, "0"),
  );
}
