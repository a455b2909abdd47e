/** The page of the scenarios: what is in their list, with the tests whose names carry their ids. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sections } from "../../scenarios";
import { testNamesIn } from "../../support/test-names";

const root = join(__dirname, "../..");
/** As in `(A06)`, `(A06, H13)`, `(C01 to C07)`. */
const list = /\s\(([A-Z]\d\d(?:(?:, | to )[A-Z]\d\d)*)\)/g;

interface ScenarioTest {
  readonly file: string;
  /** Without the ids. */
  readonly name: string;
  readonly ids: readonly string[];
}

export function scenariosPage(): string {
  const tests = scenarioTests();
  const head = [
    "# Scenarios",
    "",
    "Situations in which providers of such services fail their users, gathered from the tests, the texts and the history of comparable tools.",
    "Each says what holds here, and below it the tests that hold it, or why there is nothing to hold.",
    "",
    "Made by `npm run generate` from `scenarios.ts` and from the names of the tests: those that end in a letter and a number,",
    "as in `(A06, H13)`, hold these scenarios; behind the name of a suite, all its tests do.",
  ];
  const body = Object.entries(sections).flatMap(([letter, { title, scenarios }]) => [
    ...["", `## ${letter}. ${title}`, ""],
    ...Object.entries(scenarios).flatMap(([id, scenario]) => {
      const { situation, reason } =
        typeof scenario === "string" ? { situation: scenario, reason: undefined } : scenario;
      return [
        `- **${id}** ${situation}`,
        ...(reason === undefined ? [] : [`  - Not here: ${reason}`]),
        ...tests.filter(({ ids }) => ids.includes(id)).map(({ file, name }) => `  - \`${file}\`: ${name}`),
      ];
    }),
  ]);
  return [...head, ...body, ""].join("\n");
}

/** Every test that holds a scenario, by file. */
export function scenarioTests(): ScenarioTest[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts") || file.startsWith("contract/conformance/laws/"))
    .filter((file) => readFileSync(join(root, file), "utf8").search(list) >= 0)
    .sort()
    .flatMap((file) =>
      testNamesIn(join(root, file)).map((name) => ({ file, name: name.replace(list, ""), ids: idsIn(name) })),
    )
    .filter(({ ids }) => ids.length > 0);
}

function idsIn(name: string): string[] {
  return [...name.matchAll(list)].flatMap(([, ids]) => ids!.split(", ").flatMap(rangeOf));
}

/** `C01 to C03` as C01, C02, C03; a single id as itself. */
function rangeOf(text: string): string[] {
  const [first = "", last = first] = text.split(" to ");
  const [from, to] = [first, last].map((id) => Number(id.slice(1))) as [number, number];
  return Array.from({ length: to - from + 1 }, (_, at) => idOf(first.slice(0, 1), from + at));
}

/** `A`, 6 as `A06`. */
export function idOf(letter: string, number: number): string {
  return letter + String(number).padStart(2, "0");
}
