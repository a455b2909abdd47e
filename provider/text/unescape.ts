/** A text with its escapes undone, layer by layer, and where each unit of it stood before. */
import { controlSequences, spaceOrNothing, unprintable } from "./sanitize";

export interface Unescaped {
  readonly text: string;
  /** Where each unit of the text began in the original, and where it ended. */
  readonly starts: ArrayLike<number>;
  readonly ends: ArrayLike<number>;
}

/** Of addresses, of HTML, and of JSON, programming languages and shells. */
const escapes =
  /(?<bytes>(?:%[0-9a-f]{2})+)|&(?:#(?<decimal>\d{1,7})|#x(?<hex>[0-9a-f]{1,6})|(?<name>amp|lt|gt|quot|apos|nbsp));|\\(?:u(?<unit>[0-9a-f]{4})|u\{(?<point>[0-9a-f]{1,6})\}|x(?<byte>[0-9a-f]{2})|(?<octal>[0-3][0-7]{2})|(?<letter>[^]))/gi;
/** Escapes of escapes of escapes. */
const layers = 4;

/** The text as it is and with one layer of escapes after the other taken off, each on one line. */
export function unescapedForms(text: string): Unescaped[] {
  const places = new Uint32Array(text.length + 1);
  for (let at = 0; at < places.length; at++) places[at] = at;
  const found: Unescaped[] = [{ text, starts: places, ends: places.subarray(1) }];
  for (let layer = 1; layer <= layers; layer++) {
    const below = found.at(-1)!;
    const next = replace(below, escapes, unescaped);
    if (next.text === below.text) break;
    found.push(next);
  }
  return found.flatMap((each) => [...new Set([each, withoutColors(each)])]).map(onOneLine);
}

/** A text that was broken into lines, without its blanks. */
export function withoutBlanks(form: Unescaped): Unescaped {
  return replace(form, /\s+/g, () => "");
}

/** Itself where it has none. */
function withoutColors(form: Unescaped): Unescaped {
  return form.text.includes("\u001b[") ? replace(form, controlSequences, () => "") : form;
}

function onOneLine(form: Unescaped): Unescaped {
  const printed = replace(form, unprintable, ([character]) => spaceOrNothing(character));
  const line = replace(printed, /\s+/g, () => " ");
  // Half a character becomes this mark where it is sent.
  return replace(line, /\p{Cs}/gu, () => "\ufffd");
}

function replace(
  { text, starts, ends }: Unescaped,
  pattern: RegExp,
  by: (found: RegExpMatchArray) => string,
): Unescaped {
  if (text.search(pattern) < 0) return { text, starts, ends };
  let result = "";
  const from: number[] = [];
  const to: number[] = [];
  let at = 0;
  const keep = (end: number) => {
    result += text.slice(at, end);
    for (; at < end; at++) {
      from.push(starts[at]!);
      to.push(ends[at]!);
    }
  };
  for (const found of text.matchAll(pattern)) {
    keep(found.index);
    const [start, end] = [starts[at]!, ends[at + found[0].length - 1]!];
    const units = by(found);
    result += units;
    for (let unit = 0; unit < units.length; unit++) {
      from.push(start);
      to.push(end);
    }
    at += found[0].length;
  }
  keep(text.length);
  return { text: result, starts: from, ends: to };
}

const names: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
};
const letters: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

function unescaped({ 0: whole, groups = {} }: RegExpMatchArray): string {
  const { bytes, decimal, hex, name, unit, point, byte, octal, letter } = groups;
  if (bytes !== undefined) return Buffer.from(bytes.replaceAll("%", ""), "hex").toString();
  if (name !== undefined) return names[name.toLowerCase()]!;
  if (letter !== undefined) return letters[letter] ?? letter;
  const [digits = "", base] = octal
    ? [octal, 8]
    : decimal
      ? [decimal, 10]
      : [hex ?? unit ?? point ?? byte, 16];
  const code = parseInt(digits, base);
  return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}
