/** Measures how many terminal columns a text takes. */
export { default as displayWidth } from "string-width";

const characters = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Splits a text into characters as readers see them, with their marks and modifiers. */
export function charactersOf(text: string): string[] {
  return Array.from(characters.segment(text), ({ segment }) => segment);
}
