/** The READMEs of examples that show what their commands print. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { pathOf } from "../../docs/documents";
import { playStory } from "../../docs/story";
import { inTurn, installedCopy } from "./copied";
import { told } from "./told";

describe.each(inTurn(told))("the README of $example", ({ example, keeps }) => {
  it(
    "shows what its commands print there; `npm run docs:examples` writes it",
    { timeout: 300_000 },
    async () => {
      const { folder, cli } = installedCopy(example, inject("packed").folder);
      const read = (name: string) => readFileSync(join(folder, name), "utf8");
      const page = { path: `examples/${example}/README.md`, text: read("README.md") };
      const [played] = await playStory([page], {
        project: read("Pulumi.yaml"),
        keeps,
        place: { folder, cli },
      });
      await expect(played!.text).toMatchFileSnapshot(pathOf(page.path));
    },
  );
});
