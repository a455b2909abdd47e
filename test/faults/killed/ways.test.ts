import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ways } from "./ways";

it.each(Object.keys(ways))("a run that ends by %s is tried", (name) => {
  expect(readFileSync(join(__dirname, `${name}.test.ts`), "utf8")).toContain(`lawsOf("${name}")`);
});
