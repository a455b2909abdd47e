import { expect, it } from "vitest";
import { playAgentPart } from "./agent";
import { playComment } from "./comment";
import { read } from "./documents";

it(
  "the README's commands lead from an agent folder to the preview that it shows; `npm run docs` writes it",
  { timeout: 300_000 },
  async () => {
    const readme = read("README.md");
    expect(await playAgentPart(readme)).toBe(readme);
  },
);

it(
  "the README's comment is what `summary` writes; `npm run docs` writes it",
  { timeout: 300_000 },
  async () => {
    const readme = read("README.md");
    expect(await playComment(readme)).toBe(readme);
  },
);
