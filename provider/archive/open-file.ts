/** Opens files safely, because they may have changed since the folder was listed. */
import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { describeFileError, SourceError } from "./source-error";

export interface OpenFile {
  readonly handle: FileHandle;
  /** Bytes. */
  readonly size: number;
  readonly isExecutable: boolean;
}

/** Does not follow links, and does not block on pipes. Windows has neither flag. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens a regular file. The caller closes it. */
export async function openFile(file: string): Promise<OpenFile> {
  const handle = await open(file, flags).catch((error: unknown) => {
    throw new SourceError(`cannot read ${file}: ${describeFileError(error)}`, error);
  });
  const stat = await handle.stat();
  if (!stat.isFile()) {
    await handle.close();
    throw new SourceError(`cannot read ${file}: it is not a regular file`);
  }
  // Windows has no such bit; Node.js derives one from the file's name.
  const isExecutable = process.platform !== "win32" && (stat.mode & 0o111) !== 0;
  return { handle, size: stat.size, isExecutable };
}

const chunkSize = 256 * 1024;

/** Reads as many bytes as the file had when it was opened. Throws if it became shorter. */
export async function* bytesOf(file: string, { handle, size }: OpenFile): AsyncGenerator<Buffer, void> {
  let rest = size;
  while (rest > 0) {
    const buffer = Buffer.allocUnsafe(Math.min(chunkSize, rest));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length).catch((error: unknown) => {
      throw new SourceError(`cannot read ${file}: ${describeFileError(error)}`, error);
    });
    if (bytesRead === 0)
      throw new SourceError(`${file} changed while it was being read: run the command again`);
    rest -= bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Reads a regular file as UTF-8. */
export async function readText(file: string): Promise<string> {
  const { handle } = await openFile(file);
  return handle.readFile("utf8").finally(() => handle.close());
}
