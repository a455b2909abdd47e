/** Opens files safely, because they may have changed since the folder was listed. */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { readRegularFile } from "../files/regular-file";
import { decode } from "../text/decode";
import { fileErrorText, SourceError } from "./source-error";

/** Does not follow links, and does not block on pipes. Windows has neither flag. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

const chunkSize = 256 * 1024;

/** Git LFS checks out a file of this form, shorter than 1,024 bytes, in place of content that was not fetched. */
const pointer =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v\d+\r?\n(?:[\w.-]+ .*\n)*oid \w+:[0-9a-f]+\r?\n/;
const longestPointer = 1_024;

/** A regular file. Digests what it reads. */
export class OpenFile {
  readonly #hash = createHash("sha256");
  #isPointer = false;

  private constructor(
    private readonly file: string,
    private readonly handle: FileHandle,
    /** Bytes. */
    readonly size: number,
    readonly isExecutable: boolean,
  ) {}

  /**
   * The caller closes it.
   *
   * @param isExecutable if known better than by the disk
   */
  static async at(file: string, isExecutable?: boolean): Promise<OpenFile> {
    const handle = await open(file, flags).catch((error: unknown) => {
      throw new SourceError(`cannot read ${file}: ${fileErrorText(error)}`, error);
    });
    const stat = await handle.stat();
    if (!stat.isFile()) {
      await handle.close();
      throw new SourceError(`cannot read ${file}: it is not a regular file`);
    }
    // Windows has no such bit; Node.js derives one from the file's name.
    const isByDisk = process.platform !== "win32" && (stat.mode & 0o111) !== 0;
    return new OpenFile(file, handle, stat.size, isExecutable ?? isByDisk);
  }

  /** Reads as many bytes as the file had when it was opened. Throws if it became shorter. */
  async *read(): AsyncGenerator<Buffer, void> {
    let rest = this.size;
    while (rest > 0) {
      const buffer = Buffer.allocUnsafe(Math.min(chunkSize, rest));
      const { bytesRead } = await this.handle.read(buffer, 0, buffer.length).catch((error: unknown) => {
        throw new SourceError(`cannot read ${this.file}: ${fileErrorText(error)}`, error);
      });
      if (bytesRead === 0)
        throw new SourceError(`${this.file} changed while it was being read: run the command again`);
      rest -= bytesRead;
      const bytes = buffer.subarray(0, bytesRead);
      this.#isPointer =
        bytesRead === this.size && this.size < longestPointer && pointer.test(bytes.toString());
      this.#hash.update(bytes);
      yield bytes;
    }
  }

  /** The digest of what was read, and of the executable bit. */
  digest(): { readonly digest: string; readonly isPointer: boolean } {
    const digest = (this.isExecutable ? "x" : "-") + this.#hash.digest("hex");
    return { digest, isPointer: this.#isPointer };
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

/** The content of a small regular file. Follows links. */
export function readSource(file: string): Buffer {
  try {
    return readRegularFile(file);
  } catch (error) {
    throw new SourceError(`cannot read ${file}: ${fileErrorText(error)}`, error);
  }
}

/** Decodes UTF-8, without its byte order mark. Throws for other encodings, and for NUL bytes. */
export function decodeUtf8(bytes: Buffer, file: string): string {
  const { text, encoding, brokenAt } = decode(bytes);
  if (encoding === "utf-8" && brokenAt === undefined && !text.includes("\0")) return text;
  const actual = encoding === "utf-8" ? " text" : " but UTF-16, which PowerShell writes";
  throw new SourceError(`${file} is not UTF-8${actual}: save it as UTF-8`);
}
