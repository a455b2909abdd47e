/** Describes an archive in one line: how much it holds, its largest files, and what is excluded from it. */
import { formatSize } from "../size";
import { describeWithheld, type Withheld } from "./withheld";

export interface SizedFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

const shownLargest = 3;

export function overviewText(files: readonly SizedFile[], withheld: Withheld): string {
  const count = files.length === 1 ? "1 file" : `${files.length} files`;
  const largest = [...files].sort((a, b) => b.size - a.size).slice(0, shownLargest);
  const out = describeWithheld(withheld);
  const held = `holds ${count}, ${formatSize(totalOf(files))}, the largest ${largest.map(describeFile).join(", ")}`;
  return out === undefined ? held : `${held}; excludes ${out}`;
}

function describeFile({ path, size }: SizedFile): string {
  return `${path} (${formatSize(size)})`;
}

function totalOf(files: readonly SizedFile[]): number {
  return files.reduce((all, { size }) => all + size, 0);
}
