/** Removes secrets from texts. Texts are redacted before they are truncated, so that no part of a secret remains. */
import { unicodeEscape } from "./sanitize";
import { secretMark, withoutUserInfo } from "./user-info";

export type Redact = (text: string) => string;

/** Shorter values also occur in ordinary text. */
const shortest = 8;
/** Longer runs of letters or digits are neither words nor numbers. */
const longestPart = 20;

/**
 * Removes every secret, whether plain, JSON-escaped (also as Go and PHP do), URL-encoded or in base64, and user and password in addresses.
 *
 * @param values secrets and configuration, which `isSecret` distinguishes
 * @param credentials secrets even if they are plain words
 */
export function redactor(values: readonly string[], credentials: readonly string[] = []): Redact {
  let forms: Forms | undefined;
  return (text) => {
    // Built lazily, since most resources never log anything.
    forms ??= formsOf([
      ...values.flatMap(withLines).filter(isSecret),
      ...credentials.flatMap(asSent).filter(isLong),
    ]);
    let result = "";
    let end = 0;
    for (const [from, to] of secretsIn(text, forms)) {
      const between = text.slice(end, from);
      // Adjacent lines of one secret share a mark.
      if (end === 0 || between.trim() !== "") result += between + secretMark;
      end = Math.max(end, to);
    }
    return withoutUserInfo(result + text.slice(end));
  };
}

/** Short values, and values made of plain words and numbers such as `eu-west-1`, count as configuration. */
function isSecret(value: string): boolean {
  return isLong(value) && !value.split(/[-_./:,\s]+/).every(isPlain);
}

function isLong(value: string): boolean {
  return value.trim().length >= shortest;
}

function isPlain(part: string): boolean {
  return part.length <= longestPart && (word.test(part) || number.test(part));
}

/** `info`, `INFO`, `PostgreSQL` */
const word = /^[\p{Ll}\p{Lo}\p{M}]*(?:\p{Lu}\p{Ll}{2,})*(?:\p{Lu}*|\p{Lu}\p{Ll})$/u;
/** `8000`, `v2`, `4o`, `70b` */
const number = /^(?:\p{Nd}+|\p{L}{1,2}\p{Nd}{1,2}|\p{Nd}{1,3}\p{L}{1,2})$/u;

function asSent(value: string): string[] {
  return [value, value.trim()];
}

/** A message may quote one line of a key. */
function withLines(value: string): string[] {
  return [...asSent(value), ...value.split(/[\r\n]+/).map((line) => line.trim())];
}

/** All encodings of the secrets, and their lengths by their first characters, so that one pass over a text finds them. */
interface Forms {
  readonly texts: ReadonlySet<string>;
  readonly lengths: ReadonlyMap<string, ReadonlySet<number>>;
}

function formsOf(secrets: readonly string[]): Forms {
  const texts = new Set([...new Set(secrets)].flatMap(spellingsOf));
  const lengths = new Map<string, Set<number>>();
  for (const text of texts) {
    const start = text.slice(0, shortest);
    lengths.set(start, (lengths.get(start) ?? new Set()).add(text.length));
  }
  return { texts, lengths };
}

function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  const jsonForms = [json, json.replace(/[\u0080-\uffff]/g, unicodeEscape)];
  const base64 = bytes.toString("base64");
  // A lone surrogate cannot be encoded.
  const encodable = bytes.toString();
  return [
    ...[secret, ...jsonForms, ...jsonForms.map((each) => each.replaceAll("/", "\\/"))],
    ...jsonForms.map((each) => each.replace(/[<>&]/g, unicodeEscape)),
    ...[encodeURIComponent(encodable), new URLSearchParams([["", encodable]]).toString().slice(1)],
    ...[base64, base64.replace(/(?<!=)=+$/, ""), bytes.toString("base64url")],
  ];
}

function* secretsIn(text: string, { texts, lengths }: Forms): Generator<readonly [from: number, to: number]> {
  for (let at = 0; at + shortest <= text.length && texts.size > 0; at++) {
    const candidates = lengths.get(text.slice(at, at + shortest));
    if (candidates === undefined || !isBoundary(text, at)) continue;
    for (const length of candidates) {
      const end = at + length;
      // Newer engines hash a long text whole.
      if (end <= text.length && texts.has(text.slice(at, end)) && isBoundary(text, end)) yield [at, end];
    }
  }
}

/** Not inside a word. An escape or a colour code before a word may end with a letter that does not belong to the word. */
const boundary =
  // eslint-disable-next-line no-control-regex
  /(?<=^|[^\p{L}\p{N}]|\\[bfnrt]|\\u[\da-fA-F]{4}|%[\da-fA-F]{2}|\u001b\[[\d;]*m)|(?![\p{L}\p{N}])/uy;

function isBoundary(text: string, at: number): boolean {
  boundary.lastIndex = at;
  return boundary.test(text);
}
