import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { testNamesIn } from "../support/test-names";

const root = join(__dirname, "..");
const table = readFileSync(join(root, "scenarios.md"), "utf8");

/** How many there are of each letter. */
const counts = { A: 30, B: 12, C: 27, D: 11, E: 34, F: 14, G: 22, H: 16, I: 10, J: 14, K: 29 };
const ids = Object.entries(counts).flatMap(([letter, count]) =>
  Array.from({ length: count }, (_, index) => letter + String(index + 1).padStart(2, "0")),
);

interface Row {
  readonly id: string;
  readonly situation: string;
  readonly tests: readonly { readonly file: string; readonly name: string }[];
  readonly reason: string | undefined;
}

const rows = table
  .split(/^(?=- \*\*)/m)
  .slice(1)
  .map((text): Row => {
    const [, id = "", situation = ""] = /^- \*\*(\w+)\*\* (.+)$/m.exec(text) ?? [];
    const tests = [...text.matchAll(/^ {2}- `(\S+)`: (.+)$/gm)].map(([, file, name]) => ({
      file: file!,
      name: name!.replace(/\\(?=[^\w\s])/g, ""),
    }));
    const [, reason] = /^ {2}- Not here: (.+)$/m.exec(text) ?? [];
    return { id, situation, tests, reason };
  });

describe("the table of scenarios", () => {
  it("has each scenario once, in order, each in a sentence of its own", () => {
    expect(rows.map(({ id }) => id)).toEqual(ids);
    expect(new Set(rows.map(({ situation }) => situation)).size).toBe(ids.length);
    expect(rows.filter(({ situation }) => !situation.endsWith("."))).toEqual([]);
  });

  it("has a test or a reason for each", () => {
    const without = rows.filter(({ tests, reason }) => tests.length === 0 && reason === undefined);
    expect(without.map(({ id }) => id)).toEqual([]);
  });

  it("has no line that is neither", () => {
    const lines = table.split("\n").filter((line) => /^\s*[-*] /.test(line));
    const told = rows.flatMap(({ tests, reason }) => [1, ...tests, ...(reason === undefined ? [] : [1])]);
    expect(lines).toHaveLength(told.length);
  });

  const files = [...new Set(rows.flatMap(({ tests }) => tests.map(({ file }) => file)))].sort();

  it.each(files)("names only tests that %s has", (file) => {
    expect(existsSync(join(root, file))).toBe(true);
    const names = testNamesIn(join(root, file));
    const named = rows.flatMap(({ tests }) => tests.filter((test) => test.file === file));
    expect(named.map(({ name }) => name).filter((name) => !names.includes(name))).toEqual([]);
  });
});
