/** Texts that the package has as files: the help, the examples, and templates. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "../../provider/files/version";

/** @param path `examples/01-hello/index.ts` */
export function packageText(path: string): string {
  return readFileSync(inPackage(path), "utf8");
}

/** The names of the files in a folder of the package. */
export function packageFiles(path: string): string[] {
  return readdirSync(inPackage(path));
}

/** For commands that are read on machines with and without the Pulumi CLI. */
export const withoutCli = "If the Pulumi CLI is not installed, write `npx pulumi` instead of `pulumi`.";

/**
 * A template with a value in the place of each `{{name}}`. If a value is false or undefined, its paragraph is left out; true stands
 * for no text. All templates may contain `{{withoutCli}}`.
 */
export function filled(path: string, given: Readonly<Record<string, string | boolean | undefined>>): string {
  const values: typeof given = { withoutCli, ...given };
  const paragraphs = packageText(path).split("\n\n");
  const shown = paragraphs.filter((paragraph) => {
    const names = Array.from(paragraph.matchAll(placeholder), ([, name]) => name!);
    const missing = names.find((name) => !Object.hasOwn(values, name));
    if (missing !== undefined) throw new Error(`${path} needs a value for ${missing}`);
    return names.every((name) => (values[name] ?? false) !== false);
  });
  const fill = (_: string, name: string) => (values[name] === true ? "" : String(values[name]));
  return `${shown.join("\n\n").trimEnd()}\n`.replace(placeholder, fill);
}

const placeholder = /\{\{(\w+)\}\}/g;

function inPackage(path: string): string {
  return join(packageFolder() ?? ".", path);
}
