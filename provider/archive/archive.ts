/**
 * Packs a folder as a gzipped tar in a temporary file, because the service needs its length up front and failed uploads
 * start again. Equal folders give equal bytes.
 */
import { statSync } from "node:fs";
import { mkdtemp, open, rm, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Archive, SourceContent } from "../deployment/service";
import type { ArchiveRules } from "../dialects/dialect";
import { describeContent, type FileDigest } from "./digest";
import type { Listing } from "./source-files";
import { OpenFile } from "../agent/open-file";
import { formatSize } from "../text/size";
import { fileErrorText, SourceError } from "../agent/source-error";
import { header, padding, trailer } from "./tar";

export interface ArchiveFile extends Archive {
  /** Frees the disk space. */
  close(): Promise<void>;
}

export async function archiveOf(listing: Listing, rules: ArchiveRules): Promise<ArchiveFile> {
  const temporary = await temporaryFile();
  try {
    const { content, size } = await pack(listing, rules, (bytes) =>
      temporary.appendFile(bytes).catch(cannotWrite),
    );
    const { configPath } = listing;
    return {
      content,
      configPath,
      size,
      read: () => bytesFrom(temporary, size),
      close: () => temporary.close(),
    };
  } catch (error) {
    await temporary.close();
    throw error;
  }
}

/** Throws if the archive would be larger than the service accepts. Writes nothing to disk. */
export async function refuseTooLarge(listing: Listing, rules: ArchiveRules): Promise<void> {
  await pack(listing, rules, () => undefined);
}

/**
 * @param take gets the archive in pieces
 * @throws SourceError as soon as it is larger than the service accepts
 */
async function pack(
  { files, configPath }: Listing,
  rules: ArchiveRules,
  take: (bytes: Buffer) => Promise<void> | void,
): Promise<{ content: SourceContent; size: number }> {
  const packed: FileDigest[] = [];

  async function* tar(): AsyncGenerator<Buffer, void> {
    for (const { path, file, isExecutable: isByGit } of files) {
      const opened = await OpenFile.at(file, isByGit);
      const { size, isExecutable } = opened;
      try {
        yield header({ path, size, isExecutable });
        yield* opened.read();
        yield padding(size);
        packed.push({ path, ...opened.digest() });
      } finally {
        await opened.close();
      }
    }
    yield trailer;
  }

  let size = 0;
  let reason: unknown;
  const takeAll = async (gzipped: AsyncIterable<Buffer>) => {
    try {
      for await (const bytes of gzipped) {
        // The gzip header contains the operating system; 255 means unknown.
        if (size === 0) bytes[9] = 255;
        size += bytes.length;
        if (size > rules.largest) throw tooLarge(files, rules.largest);
        await take(bytes);
      }
    } catch (error) {
      reason = error;
      throw error;
    }
  };
  await pipeline(Readable.from(tar(), { objectMode: false }), createGzip(), takeAll).catch(
    (error: unknown) => {
      // A loop that ends early aborts the streams before it, whose error comes first.
      throw reason instanceof SourceError ? reason : error;
    },
  );
  return { content: describeContent(packed, configPath), size };
}

/** Unlinks the file at once, so that it disappears however the process ends. */
async function temporaryFile(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), "deployment-service-")).catch(cannotWrite);
  try {
    return await open(join(folder, "source.tar.gz"), "wx+", 0o600).catch(cannotWrite);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function cannotWrite(error: unknown): never {
  throw new SourceError(`cannot write the archive to ${tmpdir()}: ${fileErrorText(error)}`, error);
}

const chunkSize = 64 * 1024;

async function* bytesFrom(handle: FileHandle, size: number): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < size;) {
    const buffer = Buffer.allocUnsafe(Math.min(chunkSize, size - at));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

const shownLargest = 10;

function tooLarge(files: Listing["files"], most: number): SourceError {
  // A file may be gone by now.
  const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const sized = files.map(({ path, file }) => ({ path, size: sizeOf(file) }));
  const largest = sized.sort((a, b) => b.size - a.size).slice(0, shownLargest);
  const names = largest.map((each) => `${each.path} (${formatSize(each.size)})`).join(", ");
  return new SourceError(
    `the archive is larger than ${formatSize(most)}, the most that the service accepts. The largest files are ${names}: ` +
      "exclude everything that is not source code with .dockerignore or .gitignore",
  );
}
