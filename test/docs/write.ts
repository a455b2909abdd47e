/** `npm run docs`: puts the output that the commands really print into the documents. */
import { writeFileSync } from "node:fs";
import { pathOf, settingOf, read, stories } from "./documents";
import { playAgentPart } from "./agent";
import { playComment } from "./comment";
import { playStory } from "./story";

async function write(): Promise<void> {
  // With names of pages or folders, only stories that contain one of them are played.
  const only = process.argv.slice(2);
  const isWanted = (page: string) => only.length === 0 || only.some((name) => page.startsWith(name));
  for (const story of stories.filter(({ example, pages }) => example === undefined && pages.some(isWanted))) {
    const pages = story.pages.map((path) => ({ path, text: read(path) }));
    for (const { path, text } of await playStory(pages, settingOf(story))) writeFileSync(pathOf(path), text);
  }
  if (isWanted("README.md"))
    writeFileSync(pathOf("README.md"), await playComment(await playAgentPart(read("README.md"))));
}

void write();
