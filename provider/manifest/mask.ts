/** Which parts of a file are shown: source lines stand in logs that more people read than the file. */
import type { Span } from "./node";

const shown = 0;
/** What is between values: brackets and commas may be seen, comments, tags and anchors not. */
const words = 1;
const everything = 2;

/** A cover over a text. What is laid on later wins, so that a part may be shown of what is hidden as a whole. */
export class Mask {
  readonly #cover: Uint8Array;

  constructor(readonly text: string) {
    this.#cover = new Uint8Array(text.length);
  }

  hide({ start, end }: Span): void {
    this.#cover.fill(everything, start, end);
  }

  hideWords({ start, end }: Span): void {
    this.#cover.fill(words, start, end);
  }

  show({ start, end }: Span): void {
    this.#cover.fill(shown, start, end);
  }

  /** Whether any of a place is hidden; of an empty place, what it stands behind. */
  covers({ start, end }: Span): boolean {
    const cover = this.#cover.subarray(
      start === end ? Math.max(0, start - 1) : start,
      Math.max(end, start + 1),
    );
    return cover.some((kind) => kind !== shown);
  }

  /** A part of the text with asterisks for what is hidden, each column where it was. */
  apply({ start, end }: Span): string {
    return Array.from({ length: end - start }, (_, index) => this.#unit(start + index)).join("");
  }

  #unit(at: number): string {
    const unit = this.text[at]!;
    const kind = this.#cover[at];
    const isItem = unit === "-" && /\s/.test(this.text[at + 1] ?? "");
    const isWord = /[^\s{}[\],:]/.test(unit) && !isItem;
    const isHidden = kind === everything ? /\S/.test(unit) : kind === words && isWord;
    return isHidden ? "*" : unit;
  }
}
