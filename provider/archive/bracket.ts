/** What is between brackets in a git pattern: `[a-z_]`, `[!0-9]`, `[[:alpha:]\]]`. */

/** As ranges of a regular expression. Git knows ASCII only, and fewer spaces than C. */
const classes: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  blank: " \\t",
  cntrl: "\\x00-\\x1f\\x7f",
  digit: "0-9",
  graph: "!-~",
  lower: "a-z",
  print: " -~",
  punct: "!-\\/:-@\\[-`\\{-~",
  space: " \\t\\n\\r",
  upper: "A-Z",
  xdigit: "0-9A-Fa-f",
};

/**
 * The characters as ranges of a regular expression, and where the closing bracket is. Undefined if that is missing, or for an
 * unknown class: then the whole pattern matches nothing.
 *
 * @param from the index of the first character after `[`, `[!` or `[^`
 */
export function bracketAt(part: string, from: number): { ranges: string; end: number } | undefined {
  const member = /\[:([^\]]*):\]|(?:\\(.)|(.))(?:-(?!\])(?:\\(.)|(.)))?/suy;
  let ranges = "";
  // A bracket right at the beginning is one of the characters.
  for (let at = from; at === from || part[at] !== "]"; at = member.lastIndex) {
    member.lastIndex = at;
    const found = member.exec(part);
    if (found === null) return undefined;
    const [, name, escaped, plain, escapedLast, plainLast] = found;
    const [first, last] = [escaped ?? plain, escapedLast ?? plainLast];
    const range = name === undefined ? rangeOf(first!, last) : classes[name];
    if (range === undefined) return undefined;
    ranges += range;
  }
  return { ranges, end: member.lastIndex };
}

/** Git reads a range that runs backwards as its first character. */
function rangeOf(first: string, last = first): string {
  const [from, to] = [first, last].map((char) => char.replace(/[\\\][^-]/, "\\$&"));
  return first < last ? `${from}-${to}` : from!;
}
