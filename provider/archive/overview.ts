/** Describes an archive in one line: how much it holds, what takes most of the space, and what stays out of it. */
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
  const most = bulkOf(files);
  const out = describeWithheld(withheld);
  return [
    `holds ${count}, ${formatSize(totalOf(files))}, the largest ${largest.map(describeFile).join(", ")}`,
    ...(most === undefined ? [] : [most]),
    ...(out === undefined
      ? []
      : [`leaves out ${out}; a line such as \`!NAME\` in its .dockerignore or .gitignore brings one back`]),
  ].join("; ");
}

/** Names the folder that takes more than half of the space, unless it is the whole. */
export function bulkOf(files: readonly SizedFile[]): string | undefined {
  const half = totalOf(files) / 2;
  const sizes = new Map<string, number>();
  for (const { path, size } of files)
    for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) {
      const folder = path.slice(0, end + 1);
      sizes.set(folder, (sizes.get(folder) ?? 0) + size);
    }
  const large = [...sizes].filter(([, size]) => size > half);
  const environment = large.find(([folder]) => files.some(({ path }) => path === `${folder}pyvenv.cfg`));
  // Folders that take more than half of the space lie within each other: the last one is the innermost.
  const [folder, size] = environment ?? large.at(-1) ?? [];
  if (folder === undefined || size === undefined) return undefined;
  const what = environment === undefined ? "" : ", a virtual environment of Python";
  return `most of it is in ${folder} (${formatSize(size)})${what}`;
}

function describeFile({ path, size }: SizedFile): string {
  return `${path} (${formatSize(size)})`;
}

function totalOf(files: readonly SizedFile[]): number {
  return files.reduce((all, { size }) => all + size, 0);
}
