/** The files of the package that new projects are made of: those of the examples, and the templates next to this file. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "../../provider/files/version";

/** @param path `01-hello/index.ts` */
export function exampleText(path: string): string {
  return readFileSync(inPackage("examples", path), "utf8");
}

/** The names of the files in a folder of an example. */
export function exampleFiles(path: string): string[] {
  return readdirSync(inPackage("examples", path));
}

/**
 * A file of `templates` with a value in the place of each `{{name}}`. If a value is false or undefined, its paragraph is left out; true
 * stands for no text.
 */
export function filled(
  file: string,
  values: Readonly<Record<string, string | boolean | undefined>> = {},
): string {
  const paragraphs = readFileSync(inPackage("cli/init/templates", file), "utf8").split("\n\n");
  const shown = paragraphs.filter((paragraph) => {
    const names = Array.from(paragraph.matchAll(placeholder), ([, name]) => name!);
    const missing = names.find((name) => !Object.hasOwn(values, name));
    if (missing !== undefined) throw new Error(`${file} needs a value for ${missing}`);
    return names.every((name) => (values[name] ?? false) !== false);
  });
  const fill = (_: string, name: string) => (values[name] === true ? "" : String(values[name]));
  return `${shown.join("\n\n").trimEnd()}\n`.replace(placeholder, fill);
}

const placeholder = /\{\{(\w+)\}\}/g;

function inPackage(...path: string[]): string {
  return join(packageFolder() ?? ".", ...path);
}
