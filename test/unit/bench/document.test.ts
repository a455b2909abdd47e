import { expect, it } from "vitest";
import { withFigures } from "../../tools/bench/document";

const written = withFigures("# Performance\n\nWords.\n", "| a |");

it("a document without figures gets a section for them at its end", () => {
  expect(written).toBe(
    "# Performance\n\nWords.\n\n## Figures\n\n<!-- figures -->\n\n| a |\n\n<!-- /figures -->\n",
  );
});

it("figures take the place of those before, and what stands around them stays", () => {
  const longer = `${written}\nMore words.\n`;
  expect(withFigures(longer, "| $& |")).toBe(longer.replace("| a |", () => "| $& |"));
});

it("half of the place is not written over", () => {
  expect(() => withFigures("# A\n<!-- figures -->\nwords\n", "| a |")).toThrow("<!-- /figures -->");
  expect(() => withFigures("# A\n<!-- /figures -->\nwords\n", "| a |")).toThrow("<!-- figures -->");
});
