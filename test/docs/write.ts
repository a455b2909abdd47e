/** `npm run docs`: puts the output that the commands really print into the documents, and that of the demo into its recording. */
import { writeFileSync } from "node:fs";
import { pathOf, projectOf, read, stories } from "./documents";
import { record } from "../tools/demo/recording";
import { playStory } from "./story";

async function write(): Promise<void> {
  for (const story of stories) {
    const pages = story.pages.map((path) => ({ path, text: read(path) }));
    for (const { path, text } of await playStory(pages, projectOf(story), story.keeps))
      writeFileSync(pathOf(path), text);
  }
  await record();
}

void write();
