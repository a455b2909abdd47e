/** The examples of the package, whose files are also those of new projects. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "../version";

/** @param path `01-hello/index.ts` */
export function exampleText(path: string): string {
  return readFileSync(examplePath(path), "utf8");
}

/** The names of the files in a folder of an example. */
export function exampleFiles(path: string): string[] {
  return readdirSync(examplePath(path));
}

function examplePath(path: string): string {
  return join(packageFolder() ?? ".", "examples", path);
}
