/** Finds the comments in a YAML file. */
import { Lexer } from "yaml";
import type { SourceText } from "./source";

export interface Comment {
  readonly offset: number;
  readonly text: string;
  readonly line: number;
  readonly column: number;
  /** Whether nothing else is on its line. */
  readonly isAlone: boolean;
}

export function* readComments(source: SourceText): Generator<Comment> {
  let offset = 0;
  for (const token of new Lexer().lex(source.text)) {
    // These lexer tokens do not occur in the text.
    if (token === "\u0002" || token === "\u001f" || token === "\u0018") continue;
    if (token.startsWith("#")) {
      const { line, column } = source.positionOf(offset);
      const { start } = source.lineSpan(line);
      const isAlone = source.text.slice(start, offset).trim() === "";
      const text = token.replace(/^#+ ?/, "").trimEnd();
      if (!text.startsWith("yaml-language-server:")) yield { offset, text, line, column, isAlone };
    }
    offset += token.length;
  }
}
