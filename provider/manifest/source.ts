/** A file's text with its lines. Lines and columns count from 1, columns in UTF-16 units. */
import { decode, type Encoding } from "../text/decode";

export interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

export class SourceText {
  /** Without the byte order mark. */
  readonly text: string;
  /** The offset of the first invalid UTF-8; undefined if there is none. */
  readonly brokenAt: number | undefined;
  readonly encoding: Encoding;
  readonly #starts = [0];

  constructor(
    /** The file as the user named it. */
    readonly file: string,
    content: Uint8Array | string,
  ) {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    const { text, encoding, brokenAt } = decode(bytes);
    this.text = text;
    this.encoding = encoding;
    this.brokenAt = brokenAt;
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) this.#starts.push(at + 1);
  }

  positionOf(offset: number): SourcePosition {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - this.#starts[low]! + 1 };
  }

  /** The span of a line without its line break. */
  lineSpan(line: number): { start: number; end: number } {
    const start = this.#starts[line - 1] ?? this.text.length;
    const next = this.#starts[line];
    const end = next === undefined ? this.text.length : next - 1;
    return { start, end: this.text[end - 1] === "\r" && end > start ? end - 1 : end };
  }
}
