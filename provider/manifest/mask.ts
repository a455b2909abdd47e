/** Masks secrets in source lines, because excerpts end up in logs that more people read than the file. */
import { Lexer } from "yaml";
import type { Span } from "./places";
import { parseText } from "./reference";
import { password } from "./secrecy";
import type { SourceText } from "./source";

const stars = "***";

/** The key at the start of a line, perhaps after a list marker, document marker or directive. */
const keyOfLine = /^(?:---|%YAML)?\s*(?:- +)*(?:(["']?)[A-Za-z_][\w.-]*\1\s*:(?:\s+|$))?/;

/** A masked line, and a function from file offsets to its columns, counted from 0. */
export interface MaskedLine {
  readonly text: string;
  readonly columnOf: (offset: number) => number;
}

export class Mask {
  /** Whether the file is invalid YAML, so that only keys are shown. */
  showsKeysAlone = false;

  /** By line, in file order. */
  readonly #hidden = new Map<number, Span[]>();
  /** Where the comment of a line begins. */
  #comments: Map<number, number> | undefined;

  constructor(readonly source: SourceText) {}

  /** Hides a literal string. References in it stay visible, but their defaults do not. */
  hide({ start, end }: Span): void {
    const marks = [...parseText(this.source.text.slice(start, end)).marks].sort((a, b) => a.start - b.start);
    // Quotes around a string with references stay visible.
    const literal = marks.length === 0 ? /\S(?:.*\S)?/g : /[^\s"'](?:.*[^\s"'])?/g;
    let from = start;
    for (const mark of marks) {
      this.#add({ start: from, end: start + mark.start }, literal);
      from = start + mark.end;
    }
    this.#add({ start: from, end }, literal);
  }

  hidePasswords({ start, end }: Span): void {
    for (const { 0: text, index } of this.source.text.slice(start, end).matchAll(password)) {
      this.hide({ start: start + index, end: start + index + text.length });
    }
  }

  line(number: number): MaskedLine {
    const { start, end } = this.source.lineSpan(number);
    const hidden = this.showsKeysAlone ? this.#behindKey({ start, end }) : (this.#hidden.get(number) ?? []);
    const last = this.showsKeysAlone ? end : this.#beforeComment(number, end);
    let text = "";
    let from = start;
    for (const span of hidden) {
      text += this.source.text.slice(from, span.start) + stars;
      from = span.end;
    }
    const columnOf = (offset: number) =>
      hidden.reduce(
        (column, span) => {
          if (offset <= span.start) return column;
          return column + (offset < span.end ? span.start - offset : stars.length - (span.end - span.start));
        },
        Math.min(offset, last) - start,
      );
    return { text: (text + this.source.text.slice(from, last)).trimEnd(), columnOf };
  }

  #behindKey({ start, end }: Span): Span[] {
    const line = this.source.text.slice(start, end);
    const key = keyOfLine.exec(line)![0];
    return line.trim() === key.trim() ? [] : [{ start: start + key.length, end }];
  }

  /** Cuts off comments, which may contain secrets. */
  #beforeComment(line: number, end: number): number {
    this.#comments ??= this.#readComments();
    return this.#comments.get(line) ?? end;
  }

  /** Not the line that names the schema for editors, which contains nothing to hide. */
  #readComments(): Map<number, number> {
    const comments = new Map<number, number>();
    let offset = 0;
    for (const token of new Lexer().lex(this.source.text)) {
      // These lexer tokens do not occur in the text.
      if (["\u0002", "\u001f", "\u0018"].includes(token)) continue;
      if (/^#(?!#* ?yaml-language-server:)/.test(token))
        comments.set(this.source.positionOf(offset).line, offset);
      offset += token.length;
    }
    return comments;
  }

  /** Records hidden spans by line. */
  #add({ start, end }: Span, literal: RegExp): void {
    for (const { 0: text, index } of this.source.text.slice(start, end).matchAll(literal)) {
      const span = { start: start + index, end: start + index + text.length };
      const { line } = this.source.positionOf(span.start);
      if (!this.#hidden.has(line)) this.#hidden.set(line, []);
      this.#hidden.get(line)!.push(span);
    }
  }
}
