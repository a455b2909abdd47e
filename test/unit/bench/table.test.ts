import { expect, it } from "vitest";
import { asMarkdown, asText, type Table } from "../../tools/bench/table";

const table: Table = {
  left: 1,
  headings: ["phase", "seconds"],
  rows: [
    ["up", "1.5"],
    ["up, no change", "10.25"],
  ],
};

it("columns are as wide as the longest of them; words begin and figures end at the same place", () => {
  expect(asText(table).split("\n")).toEqual([
    "phase          seconds",
    "-------------  -------",
    "up                 1.5",
    "up, no change    10.25",
    "",
  ]);
});

it("a missing cell is empty, and no line ends in spaces", () => {
  const text = asText({ left: 2, headings: ["a", "long heading"], rows: [["b"]] });
  expect(text).toBe("a  long heading\n-  ------------\nb\n");
});

it("a Markdown table aligns in the same way", () => {
  expect(asMarkdown(table)).toBe(
    "| phase | seconds |\n| --- | --: |\n| up | 1.5 |\n| up, no change | 10.25 |\n",
  );
});
