/**
 * Writes the tar format (POSIX.1-2001) for regular files. Not a library, because those have dependencies, and because
 * equal files must give equal bytes: no times, no owners, two modes.
 */
const block = 512;
const longestName = 100;

export interface TarEntry {
  /** The path, with `/`. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly isExecutable: boolean;
}

/** The header before a file's content. */
export function header({ path, size, isExecutable }: TarEntry): Buffer {
  const mode = isExecutable ? 0o755 : 0o644;
  // eslint-disable-next-line no-control-regex -- ASCII
  const isPlain = /^[\u0000-\u007f]*$/.test(path) && path.length <= longestName;
  const own = blockOf(Buffer.from(path).subarray(0, longestName), size, mode, "0");
  if (isPlain) return own;
  const record = Buffer.from(recordOf("path", path));
  const extended = blockOf(Buffer.from("PaxHeader"), record.length, 0o644, "x");
  return Buffer.concat([extended, record, padding(record.length), own]);
}

/** The padding after a file's content. */
export function padding(size: number): Buffer {
  return Buffer.alloc((block - (size % block)) % block);
}

/** The end of an archive. */
export const trailer: Buffer = Buffer.alloc(2 * block);

function blockOf(name: Buffer, size: number, mode: number, type: "0" | "x"): Buffer {
  const bytes = Buffer.alloc(block);
  name.copy(bytes);
  const octal = (value: number, at: number, width: number) =>
    bytes.write(`${value.toString(8).padStart(width - 1, "0")}\0`, at, "latin1");
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  bytes.write(`        ${type}`, 148, "latin1");
  bytes.write("ustar\u000000", 257, "latin1");
  octal(0, 329, 8);
  octal(0, 337, 8);
  const sum = bytes.reduce((all, byte) => all + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return bytes;
}

/** `LENGTH key=value`; the length includes its own digits. */
function recordOf(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  let length = bytes + 1;
  while (String(length).length + bytes !== length) length = String(length).length + bytes;
  return `${length}${rest}`;
}
