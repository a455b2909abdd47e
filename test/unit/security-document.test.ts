import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(__dirname, "../..");
const text = readFileSync(join(root, "SECURITY.md"), "utf8");

it("the security policy names a test for everything that it says is protected, and each of them exists", () => {
  const [, held = ""] = /## What is protected\n([^]*?)\n## /.exec(text) ?? [];
  const claims = held.split("\n").filter((line) => line.startsWith("- "));
  expect(claims.length).toBeGreaterThan(5);
  const named = claims.map((line) => [...line.matchAll(/`(test\/[^`]+)`/g)].map(([, path]) => path!));
  expect(claims.filter((_, at) => named[at]!.length === 0)).toEqual([]);
  expect(named.flat().filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
