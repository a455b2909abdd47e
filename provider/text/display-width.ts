/** Measures how many terminal columns a text takes. */

const characters = new Intl.Segmenter("en", { granularity: "grapheme" });

/** East Asian characters that are two columns wide, and emoji. */
const wide = new RegExp(
  String.raw`^[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff` +
    String.raw`\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}` +
    String.raw`\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]`,
  "u",
);
/** Combining marks without a base character, and other characters of zero width. */
const nothing = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}\u1160-\u11ff\ud7b0-\ud7ff]*$/u;
/** The selector that displays a character, such as a heart, as an emoji. */
const asPicture = /\ufe0f/;

/** Splits a text into characters as readers see them, with their marks and modifiers. */
export function charactersOf(text: string): string[] {
  return Array.from(characters.segment(text), ({ segment }) => segment);
}

export function displayWidth(text: string): number {
  return isPlain.test(text)
    ? text.length
    : charactersOf(text).reduce((sum, character) => sum + widthOf(character), 0);
}

const isPlain = /^[ -~]*$/;

function widthOf(character: string): number {
  if (nothing.test(character)) return 0;
  return wide.test(character) || asPicture.test(character) ? 2 : 1;
}
