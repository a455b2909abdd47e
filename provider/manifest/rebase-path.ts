import { isAbsolute, posix, sep } from "node:path";

/**
 * A path of a manifest as it is from another folder.
 *
 * @param base where the manifest is from there: `..`, `services`; empty for the same folder
 */
export function rebasePath(base: string, path: string): string {
  if (base === "" || isAbsolute(path)) return path;
  return posix.join(base.split(sep).join("/"), path);
}
