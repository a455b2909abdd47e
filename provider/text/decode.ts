/** Decodes files of users: UTF-8, or the UTF-16 that PowerShell's `>` writes. */
import { isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";

export type Encoding = "utf-8" | "utf-16le" | "utf-16be";

export interface Decoded {
  /** Without the byte order mark. */
  readonly text: string;
  readonly encoding: Encoding;
  /** The offset in the text of the first invalid UTF-8; undefined if there is none. */
  readonly brokenAt: number | undefined;
}

export function decode(bytes: Uint8Array): Decoded {
  const encoding = encodingOf(bytes);
  const text = new TextDecoder(encoding).decode(bytes);
  // A valid file can contain the replacement character itself.
  const isBroken = encoding === "utf-8" && !isUtf8(bytes);
  return { text, encoding, brokenAt: isBroken ? text.indexOf("\ufffd") : undefined };
}

/** Whether text in the other width was appended: `>>` of Windows PowerShell writes UTF-16 after UTF-8. */
export function mixesEncodings(bytes: Uint8Array): boolean {
  if (encodingOf(bytes) === "utf-8") return bytes.includes(0);
  return /[\t\n\r -~]{32}/.test(Buffer.from(bytes).toString("latin1"));
}

/** Without a byte order mark, a file that begins with an ASCII character shows its encoding by where the zero is. */
function encodingOf([first, second]: Uint8Array): Encoding {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0 && second !== undefined))
    return "utf-16be";
  return "utf-8";
}
