import { describe, expect, it } from "vitest";
import { rules } from "./exceptions";
import { faults } from "./faults";
import { operations } from "./operations";
import { cases, exceptions } from "./table";

describe("the table", () => {
  it("tries every operation and every fault, each pair under a name of its own", () => {
    expect(operations.filter((each) => !cases.some(({ operation }) => operation === each))).toEqual([]);
    expect(faults.filter((each) => !cases.some(({ fault }) => fault === each))).toEqual([]);
    const names = cases.map(({ name }) => name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  it("has the packaged provider try what writes with every fault that the dynamic one tries it with", () => {
    const faultsOf = (adapter: string, key: string) =>
      cases
        .filter((faultCase) => faultCase.adapter === adapter && faultCase.operation.key === key)
        .map(({ fault }) => fault.key);
    for (const key of ["create", "settings", "revision", "delete"]) {
      expect(faultsOf("packaged", key)).toEqual(faultsOf("dynamic", key));
      expect(faultsOf("packaged", key).length).toBeGreaterThan(30);
    }
  });

  it("has no exception that no case needs, and a reason for each", () => {
    for (const { reason } of rules) {
      expect(reason).not.toBe("");
      expect(exceptions.filter((each) => each.reason === reason).length, reason).toBeGreaterThan(0);
    }
  });

  it("has a fault of each kind in every place that it is run in", () => {
    const kinds = new Set(faults.map(({ kind }) => kind));
    for (const held of new Set(cases.map((faultCase) => faultCase.held))) {
      const here = new Set(
        cases.filter((faultCase) => faultCase.held === held).map(({ fault }) => fault.kind),
      );
      const missing = [...kinds].filter((kind) => !here.has(kind));
      expect(missing).toEqual(held === "process" ? ["condition"] : []);
    }
  });
});
