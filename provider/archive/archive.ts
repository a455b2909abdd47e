/**
 * Packs a folder as a gzipped tar in a temporary file, because the service needs its length up front and failed uploads
 * start again. Equal folders give equal bytes.
 */
import { mkdtemp, open, rm, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Archive } from "../deployment/service";
import type { ArchiveRules } from "../dialects/dialect";
import { describeContent, type FileDigest } from "./digest";
import type { Listing } from "./source-files";
import { OpenFile } from "./open-file";
import type { SizedFile } from "./overview";
import { formatSize } from "../size";
import { fileErrorText, SourceError } from "./source-error";
import { header, padding, trailer } from "./tar";

export interface ArchiveFile extends Archive {
  /** Frees the disk space. */
  close(): Promise<void>;
}

/** @param written called after each file */
export async function archiveOf(
  { files, configPath }: Listing,
  rules: ArchiveRules,
  written: () => void,
): Promise<ArchiveFile> {
  const packed: (FileDigest & SizedFile)[] = [];

  async function* tar(): AsyncGenerator<Buffer, void> {
    for (const { path, file } of files) {
      const opened = await OpenFile.at(file);
      const { size, isExecutable } = opened;
      try {
        yield header({ path, size, isExecutable });
        yield* opened.read();
        yield padding(size);
        packed.push({ path, size, digest: opened.digest() });
        written();
      } finally {
        await opened.close();
      }
    }
    yield trailer;
  }

  const temporary = await temporaryFile();
  try {
    let size = 0;
    await pipeline(Readable.from(tar(), { objectMode: false }), createGzip(), async (gzipped) => {
      for await (const bytes of gzipped as AsyncIterable<Buffer>) {
        // The gzip header contains the operating system; 255 means unknown.
        if (size === 0) bytes[9] = 255;
        await temporary.appendFile(bytes).catch((error: unknown) => {
          throw new SourceError(`cannot write the archive to ${tmpdir()}: ${fileErrorText(error)}`, error);
        });
        size += bytes.length;
      }
    });
    if (size > rules.largest) throw tooLarge(size, rules.largest, packed);
    return {
      content: describeContent(packed, configPath),
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

/** Unlinks the file at once, so that it disappears however the process ends. */
async function temporaryFile(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), "deployment-service-"));
  try {
    return await open(join(folder, "source.tar.gz"), "wx+", 0o600);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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

function tooLarge(size: number, most: number, files: readonly SizedFile[]): SourceError {
  const largest = [...files].sort((a, b) => b.size - a.size).slice(0, shownLargest);
  const names = largest.map((each) => `${each.path} (${formatSize(each.size)})`).join(", ");
  return new SourceError(
    `the archive has ${formatSize(size)}, but the service accepts at most ${formatSize(most)}. The largest files are ${names}: ` +
      "exclude everything that is not source code with .dockerignore or .gitignore",
  );
}
