/** Digests of files and of all of them together. */
import { createHash, type Hash } from "node:crypto";
import type { SourceContent } from "../deployment/service";

/** The state holds one digest for each file up to so many. */
const mostNamed = 500;
/** Hexadecimal digits: enough to tell a file from its next version. */
const shortLength = 8;

export interface FileDigest {
  readonly path: string;
  readonly digest: string;
}

/** Of the bytes of one file, and of whether it can be executed. */
export class FileHash {
  readonly #hash: Hash = createHash("sha256");

  constructor(
    private readonly path: string,
    private readonly isExecutable: boolean,
  ) {}

  update(bytes: Uint8Array): void {
    this.#hash.update(bytes);
  }

  digest(): FileDigest {
    const mark = this.isExecutable ? "x" : "-";
    return { path: this.path, digest: mark + this.#hash.digest("hex") };
  }
}

/**
 * @param files in the order of their paths
 * @param configPath where the graph configuration is
 */
export function contentOf(files: readonly FileDigest[], configPath: string): SourceContent {
  const all = createHash("sha256").update(JSON.stringify(configPath));
  for (const { path, digest } of files) all.update(JSON.stringify([path, digest]));
  const named = files.map(({ path, digest }): [string, string] => [path, digest.slice(0, 1 + shortLength)]);
  return {
    digest: all.digest("hex"),
    count: files.length,
    ...(files.length <= mostNamed && { files: Object.fromEntries(named) }),
  };
}
