import { expect, it } from "vitest";
import { parseOptions } from "../../tools/bench/options";

it("without arguments all parts run, up to a thousand resources", () => {
  expect(parseOptions([])).toEqual({
    quick: false,
    json: false,
    write: false,
    rounds: 3,
    counts: [1, 10, 100, 1000],
    parts: ["check-and-diff", "manifest", "runs"],
  });
});

it("--quick runs once, with few resources", () => {
  expect(parseOptions(["--quick", "--json"])).toMatchObject({
    quick: true,
    json: true,
    rounds: 1,
    counts: [1, 50],
  });
});

it("what is said in particular wins", () => {
  const args = ["--quick", "--only", "runs", "--rounds", "5", "--counts", "3,7"];
  expect(parseOptions(args)).toMatchObject({ rounds: 5, counts: [3, 7], parts: ["runs"] });
});

it("wrong arguments are refused", () => {
  expect(() => parseOptions(["--only", "other"])).toThrow("check-and-diff, manifest, runs");
  expect(() => parseOptions(["--only", "manifest", "--write"])).toThrow("--write");
  expect(() => parseOptions(["--counts", "1,x"])).toThrow("--counts: x");
  expect(() => parseOptions(["--rounds", "0"])).toThrow("--rounds: 0");
  expect(() => parseOptions(["--slow"])).toThrow("--slow");
});
