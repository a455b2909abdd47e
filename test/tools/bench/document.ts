/** The part of a document that a program writes, between two comments. */
const begin = "<!-- figures -->";
const end = "<!-- /figures -->";
const heading = "## Figures";

/** The document with these figures in place of those before. One without the comments gets a section of its own at its end. */
export function withFigures(document: string, figures: string): string {
  const part = `${begin}\n\n${figures.trim()}\n\n${end}`;
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from === -1 && to === -1) return `${document.trimEnd()}\n\n${heading}\n\n${part}\n`;
  if (from === -1 || to < from) throw new Error(`The document needs ${begin} and, after it, ${end}`);
  return document.slice(0, from) + part + document.slice(to + end.length);
}
