import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { documents, projectOf } from "./documents";
import { playStory } from "./story";

describe.each(documents)("%s", (path) => {
  it("shows what its commands really print; `npm run docs` writes it", { timeout: 300_000 }, async () => {
    const text = readFileSync(path, "utf8");
    expect(await playStory(text, projectOf(path)), basename(path)).toBe(text);
  });
});
