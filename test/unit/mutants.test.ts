import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, it } from "vitest";
import { mutants } from "../mutants";

it("each fault that the tests must notice stands once in its file, and its tests are there", () => {
  const stale = mutants.filter(({ file, text, tests }) => {
    const count = readFileSync(file, "utf8").split(text).length - 1;
    return count !== 1 || !tests.every((each) => existsSync(posix.normalize(each)));
  });
  expect(stale).toEqual([]);
});
