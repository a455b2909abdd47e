import { expect, it } from "vitest";
import { asLine, medians } from "../../tools/bench/benchmark";
import { figuresOf } from "../../tools/bench/write";
import { printed, type Report } from "../../tools/bench/report";
import type { Sample } from "../../tools/bench/rounds";
import { summarize } from "../../tools/bench/summary";

const sample = (count: number, round: number): Sample => ({
  ...{ count, round, program: "bare", phase: "refresh", wallSeconds: 1, processorSeconds: 2, requests: {} },
});
const samples = [sample(1, 1), sample(1, 2), sample(1000, 1)];
const report: Report = {
  machine: {
    ...{ cores: 2, processor: "some", memory: 8, system: "linux x64", node: "20.18.1" },
    ...{ cli: "v3.259.0", date: "2030-01-01" },
  },
  figures: {
    start: [
      { what: "import", value: 12.345, unit: "ms", atMost: 30 },
      { what: "both together", value: 1234.5, unit: "ms", note: "of which half is the SDK's" },
    ],
  },
  summaries: summarize(samples),
  samples,
};

it("a figure has three digits, and stands beside what it is not to exceed", () => {
  expect(report.figures["start"]!.map(asLine)).toEqual([
    "12.3 ms (at most 30)",
    "1235 ms, of which half is the SDK's",
  ]);
  expect(asLine({ what: "ratio", value: 1.0567, unit: "x", atMost: 1.1 })).toBe("1.06 x (at most 1.1)");
});

it("the report for a terminal names the machine, each part, and each number of resources", () => {
  const text = printed(report);
  expect(text).toMatch(/^2030-01-01, 2 cores, 8 GiB, linux x64, Node\.js 20\.18\.1, Pulumi CLI v3\.259\.0\n/);
  expect(text).toContain("\nstart\n  import         12.3 ms");
  expect(text).toContain('\n1 resource; "x": times the bare program\'s\n');
  expect(text).toContain("\n1000 resources;");
});

it("the document says where it was measured, and how often", () => {
  const text = figuresOf(report);
  expect(text).toContain("2030-01-01, 2 cores, 8 GiB");
  expect(text).toContain("Medians of 2 rounds (1000 resources: 1); in brackets");
  expect(text).toContain("| import | 12.3 ms (at most 30) |");
});

it("programs are measured in turns, and each by its median", async () => {
  const order: string[] = [];
  const values = { a: [3, 1, 2], b: [10, 30, 20] };
  const next = (name: "a" | "b") => () => (order.push(name), Promise.resolve(values[name].shift()!));
  expect(await medians(3, { a: next("a"), b: next("b") })).toEqual({ a: 2, b: 20 });
  expect(order.join("")).toBe("ababab");
});
