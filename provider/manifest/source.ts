/** A file's text with its lines. Lines and columns count from 1, columns in UTF-16 units. */
import { LineCounter } from "yaml";
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
  readonly #lines = new LineCounter();

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
    this.#lines.addNewLine(0);
    for (const { index } of text.matchAll(/\n/g)) this.#lines.addNewLine(index + 1);
  }

  positionOf(offset: number): SourcePosition {
    const { line, col: column } = this.#lines.linePos(offset);
    return { line, column };
  }

  /** The span of a line without its line break. */
  lineSpan(line: number): { start: number; end: number } {
    const start = this.#lines.lineStarts[line - 1] ?? this.text.length;
    const next = this.#lines.lineStarts[line];
    const end = next === undefined ? this.text.length : next - 1;
    return { start, end: this.text[end - 1] === "\r" && end > start ? end - 1 : end };
  }
}
