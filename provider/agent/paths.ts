/** Paths on disk and in an archive. */
import { dirname, sep } from "node:path";
import { SourceError } from "./source-error";

/** Converts separators to `/`. */
export function slashed(path: string): string {
  return path.split(sep).join("/");
}

export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

export function commonAncestor(a: string, b: string): string {
  let ancestor = a;
  while (!isInside(b, ancestor)) {
    const above = dirname(ancestor);
    if (above === ancestor)
      throw new SourceError(`${a} and ${b} are on different drives: one archive cannot hold both`);
    ancestor = above;
  }
  return ancestor;
}
