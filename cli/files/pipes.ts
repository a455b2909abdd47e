/** Pipes given as files. A shell hands one over by its number (`<(command)`); one on the disk may have nobody at its other end. */
import { statSync } from "node:fs";

export type Pipe = "handed over" | "named";

/** @param path absolute */
export function pipeAt(path: string): Pipe | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isFIFO() !== true) return undefined;
  return /^\/(?:dev|proc)\//.test(path) ? "handed over" : "named";
}
