/** Finds the comments in a YAML file. */
import { Lexer } from "yaml";
import type { SourceText } from "./source";

interface Comment {
  readonly offset: number;
  readonly line: number;
}

/** Not the line that names the schema for editors, which contains nothing to hide. */
export function* readComments(source: SourceText): Generator<Comment> {
  let offset = 0;
  for (const token of new Lexer().lex(source.text)) {
    // These lexer tokens do not occur in the text.
    if (token === "\u0002" || token === "\u001f" || token === "\u0018") continue;
    if (/^#(?!#* ?yaml-language-server:)/.test(token)) yield { offset, line: source.positionOf(offset).line };
    offset += token.length;
  }
}
