/** Tests that pages show what their commands print. */
import { describe, expect, it } from "vitest";
import { read, settingOf, type Story } from "./documents";
import { playStory } from "./story";

export function holdStories(stories: readonly Story[]): void {
  describe.each(stories.map((story) => [story.pages.join(", "), story] as const))("%s", (_, story) => {
    it("shows what its commands really print; `npm run docs` writes it", { timeout: 300_000 }, async () => {
      const pages = story.pages.map((path) => ({ path, text: read(path) }));
      const played = await playStory(pages, settingOf(story));
      for (const [at, { path, text }] of played.entries()) expect(text, path).toBe(pages[at]!.text);
    });
  });
}
