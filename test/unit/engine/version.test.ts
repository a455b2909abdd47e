import { describe, expect, it } from "vitest";

const version = () => import("../../engine/version.mjs");

describe("parseVersion", () => {
  it.each([
    ["v3.259.0", [3, 259, 0]],
    ["3.216.1", [3, 216, 1]],
    ["v3.260.0-alpha.1a2b", [3, 260, 0]],
    ["go1.26.8 X:nodwarf5", [1, 26, 8]],
    ["go1.26", [1, 26, 0]],
    ["devel", undefined],
    ["", undefined],
  ])("%s", async (text, expected) => {
    expect((await version()).parseVersion(text)).toEqual(expected);
  });
});

describe("isAtLeast", () => {
  it.each([
    ["v3.216.0", true],
    ["v3.216.1", true],
    ["v3.217.0", true],
    ["v4.0.0", true],
    ["v3.215.9", false],
    ["v3.99.99", false],
    ["v2.999.0", false],
    ["", false],
  ])("%s", async (text, expected) => {
    expect((await version()).isAtLeast(text, "3.216.0")).toBe(expected);
  });
});
