/** The digest of a folder, from those of its files. */
import { createHash } from "node:crypto";
import type { SourceContent } from "../deployment/service";

/** Up to this number of files, the state contains a digest for each. */
const mostNamed = 500;
/** Hexadecimal digits, enough to detect that a file changed. */
const shortLength = 8;

export interface FileDigest {
  readonly path: string;
  readonly digest: string;
}

/**
 * @param files sorted by path
 * @param configPath the path of the graph configuration
 */
export function describeContent(files: readonly FileDigest[], configPath: string): SourceContent {
  const all = createHash("sha256").update(JSON.stringify(configPath));
  for (const { path, digest } of files) all.update(JSON.stringify([path, digest]));
  const named = files.map(({ path, digest }): [string, string] => [path, digest.slice(0, 1 + shortLength)]);
  return {
    digest: all.digest("hex"),
    count: files.length,
    ...(files.length <= mostNamed && { files: Object.fromEntries(named) }),
  };
}
