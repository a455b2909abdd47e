import { expect, it } from "vitest";
import { benchmarks } from "../../tools/bench/benchmarks";
import { parseOptions, parts } from "../../tools/bench/options";

it("without arguments all parts run, up to a thousand resources, of which one round has to do", () => {
  const options = parseOptions([]);
  expect(options).toMatchObject({
    quick: false,
    json: false,
    write: false,
    counts: [1, 10, 100, 1000],
    parts,
  });
  expect([1, 100, 1000].map((count) => options!.roundsOf(count))).toEqual([3, 3, 1]);
});

it("every part is a benchmark", () => {
  expect(parts).toEqual([...benchmarks.map(({ name }) => name), "runs"]);
});

it("--quick runs once, with few resources", () => {
  const options = parseOptions(["--quick", "--json"]);
  expect(options).toMatchObject({ quick: true, json: true, counts: [1, 20] });
  expect(options!.roundsOf(1)).toBe(1);
});

it("what is said in particular wins", () => {
  const options = parseOptions(["--quick", "--only", "start,runs", "--rounds", "5", "--counts", "3,1000"]);
  expect(options).toMatchObject({ counts: [3, 1000], parts: ["start", "runs"] });
  expect([3, 1000].map((count) => options!.roundsOf(count))).toEqual([5, 5]);
});

it("wrong arguments are refused", () => {
  expect(() => parseOptions(["--only", "runs,other"])).toThrow("--only: other is none of start, ");
  expect(() => parseOptions(["--only", "manifest", "--write"])).toThrow("--write");
  expect(() => parseOptions(["--counts", "1,x"])).toThrow("--counts: x");
  expect(() => parseOptions(["--rounds", "0"])).toThrow("--rounds: 0");
  expect(() => parseOptions(["--slow"])).toThrow("--slow");
});
