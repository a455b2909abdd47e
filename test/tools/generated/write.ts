import { writeFileSync } from "node:fs";
import { generatedFiles } from "./files";

async function write(): Promise<void> {
  for (const { path, text } of await generatedFiles()) {
    writeFileSync(path, text);
    process.stdout.write(`generated ${path}\n`);
  }
}

void write();
