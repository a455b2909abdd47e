/** Paths of folders in a manifest, relative to a program elsewhere. */
import { isAbsolute, posix, sep } from "node:path";

/**
 * Rebases a relative path of a manifest onto another folder.
 * @param base the path from that folder to the manifest's: `..` or `services`; empty if they are the same
 */
export function rebasePath(base: string, path: string): string {
  if (base === "" || isAbsolute(path)) return path;
  return posix.join(base.split(sep).join("/"), path);
}
