import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parse } from "yaml";

/** A folder to copy, or files by name. */
export type Program = string | Record<string, string>;

const root = resolve(__dirname, "../..");

const defaults = {
  "Pulumi.yaml": "name: program\nruntime: nodejs\n",
  // Without its own package.json the CLI would take the repository's and look for that one's entry point.
  "package.json": '{ "private": true }\n',
};

/**
 * Makes the folder a stack runs in. It lies inside the repository, so that node_modules is found by
 * climbing, and as deep as examples/<name>, so that a copied program's "../.." still points right.
 * An example is copied, because stacks leave files in their folder and tests edit it.
 */
export function makeProgram(program: Program): string {
  mkdirSync(join(root, ".cache"), { recursive: true });
  const folder = mkdtempSync(join(root, ".cache", "program-"));
  if (typeof program === "string") {
    cpSync(resolve(program), folder, {
      recursive: true,
      filter: (path) => basename(path) !== "node_modules",
    });
  } else {
    writeFiles(folder, { ...defaults, ...program });
  }
  return folder;
}

export function writeFiles(folder: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

export function projectName(folder: string): string {
  return (parse(readFileSync(join(folder, "Pulumi.yaml"), "utf8")) as { name: string }).name;
}
