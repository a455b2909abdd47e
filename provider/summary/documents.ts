/** Finds JSON objects in a text, such as previews that a loop appended to one file. */
import { parseJson } from "../text/json";

interface Documents {
  readonly values: readonly unknown[];
  /** Whether an object begins in the text and does not end. */
  readonly isCutOff: boolean;
}

/** After so many objects that do not end, the rest of the text is given up. */
const mostUnended = 100;

/** An object begins a line, or follows another one. Anything else in between, such as warnings of the CLI, is left out. */
export function documentsIn(text: string): Documents {
  const values: unknown[] = [];
  let unended = 0;
  let isCutOff = false;
  for (let start = nextStart(text, 0); start !== undefined && unended < mostUnended;) {
    const end = endOf(text, start);
    const value = end === undefined ? undefined : parseJson(text.slice(start, end));
    if (end !== undefined && value !== undefined) {
      values.push(value);
      start = nextStart(text, end);
    } else {
      if (end === undefined) unended += 1;
      // Other lines may begin with a brace too.
      isCutOff ||= end === undefined && /^\{\s*(?:"|$)/.test(text.slice(start, start + 1_000));
      start = nextStart(text, start + 1);
    }
  }
  return { values, isCutOff };
}

/** The index of the next brace that begins a line, or follows the object that ends at `from`. */
function nextStart(text: string, from: number): number | undefined {
  const isAfterOther = from > 0 && text[from - 1] === "}";
  if (isAfterOther && text[from] === "{") return from;
  const beginning = /^\ufeff?(?=\{)/gm;
  beginning.lastIndex = from;
  const found = beginning.exec(text);
  return found === null ? undefined : found.index + found[0].length;
}

/** The index after the brace that closes the one at `start`. */
function endOf(text: string, start: number): number | undefined {
  let depth = 0;
  let isInText = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (isInText) {
      if (character === "\\") at += 1;
      else if (character === '"') isInText = false;
    } else if (character === '"') isInText = true;
    else if (character === "{") depth += 1;
    else if (character === "}" && --depth === 0) return at + 1;
  }
  return undefined;
}
