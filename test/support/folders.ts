/** Folders that are removed when the test has finished. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

type Files = Readonly<Record<string, string>>;

/** A new folder with these files. */
export function scratch(files: Files = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "scratch-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  write(folder, files);
  return folder;
}

/** A name that ends with `*` is made executable, without the star. */
export function write(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name.replace(/\*$/, ""));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, name.endsWith("*") ? 0o755 : 0o600);
  }
}

/** A folder of programs, each a shell script, as the only one on a PATH. */
export function programs(scripts: Files): string {
  const files = Object.entries(scripts).map(([name, script]) => [`${name}*`, `#!/bin/sh\n${script}\n`]);
  return scratch(Object.fromEntries(files) as Files);
}
