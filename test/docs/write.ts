/** `npm run docs`: puts the output that the commands really print into the documents. */
import { readFileSync, writeFileSync } from "node:fs";
import { documents, projectOf } from "./documents";
import { playStory } from "./story";

async function write(): Promise<void> {
  for (const path of documents) {
    writeFileSync(path, await playStory(readFileSync(path, "utf8"), projectOf(path)));
  }
}

void write();
