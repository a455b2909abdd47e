import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { expect, it } from "vitest";
import { generatedFiles } from "../tools/generated/files";

it("the generated files are up to date", async () => {
  const files = await generatedFiles();
  expect(files.length).toBeGreaterThan(0);
  const stale = files.filter(({ path, text }) => readFileSync(path, "utf8") !== text);
  const names = stale.map(({ path }) => relative(process.cwd(), path));
  expect(names, "stale: run `npm run generate` and commit what it writes").toEqual([]);
});
