/** The digest of a folder, from those of its files. */
import { createHash } from "node:crypto";
import type { SourceContent } from "../deployment/service";
import { firstOf } from "../text/first-of";
import { SourceError } from "../agent/source-error";

/** Up to this number of files, the state contains a digest for each. */
const mostNamed = 500;
/** Hexadecimal digits, enough to detect that a file changed. */
const shortLength = 8;

export interface FileDigest {
  readonly path: string;
  readonly digest: string;
  /** Whether it is a pointer of Git LFS. */
  readonly isPointer: boolean;
}

/**
 * @param files sorted by path
 * @param configPath the path of the graph configuration
 * @throws SourceError if Git LFS has not fetched some of the files
 */
export function describeContent(files: readonly FileDigest[], configPath: string): SourceContent {
  const pointers = files.filter(({ isPointer }) => isPointer).map(({ path }) => path);
  if (pointers.length > 0)
    throw new SourceError(
      `Git LFS has only checked out pointers in place of ${firstOf(pointers)}: run \`git lfs pull\`, in a workflow set ` +
        "`lfs: true` for actions/checkout, or exclude them with an ignore file",
    );
  const all = createHash("sha256").update(JSON.stringify(configPath));
  for (const { path, digest } of files) all.update(JSON.stringify([path, digest]));
  const named = files.map(({ path, digest }): [string, string] => [path, digest.slice(0, 1 + shortLength)]);
  return {
    digest: all.digest("hex"),
    count: files.length,
    ...(files.length <= mostNamed && { files: Object.fromEntries(named) }),
  };
}
