import { describe, expect, it } from "vitest";
import { rules } from "./exceptions";
import { faults } from "./faults";
import { operations } from "./operations";
import { cells, exceptions } from "./table";

describe("the table", () => {
  it("runs every operation with every fault, or says why not", () => {
    expect(cells.length + exceptions.length).toBe(operations.length * faults.length);
    expect(new Set(cells.map(({ name }) => name)).size).toBe(cells.length);
  });

  it("has no exception that no cell needs, and a reason for each", () => {
    for (const { reason } of rules) {
      expect(reason).not.toBe("");
      expect(exceptions.filter((each) => each.reason === reason).length, reason).toBeGreaterThan(0);
    }
  });

  it("has a fault of each kind in every place that it is run in", () => {
    const kinds = new Set(faults.map(({ kind }) => kind));
    for (const held of new Set(cells.map((cell) => cell.held))) {
      const here = new Set(cells.filter((cell) => cell.held === held).map(({ fault }) => fault.kind));
      const missing = [...kinds].filter((kind) => !here.has(kind));
      expect(missing).toEqual(held === "process" ? ["condition"] : []);
    }
  });
});
