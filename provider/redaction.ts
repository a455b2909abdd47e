/** Taking secrets out of texts, however the service spells what it repeats. */
import { spellingsOf } from "./spelling";

const mark = "[secret]";
/** One or two characters stand in every text; taking them out would say more than leaving them. */
const shortest = 3;
/** A piece of a secret this long is no coincidence, wherever it stands. */
const telling = 12;

/** Takes secrets out of a text: in clear, escaped in any of the usual ways, encoded, or cut short. */
export function redact(text: string, secrets: Iterable<string>): string {
  const forms = new Set([...secrets].flatMap(formsOf));
  const hidden = new Uint8Array(text.length);
  for (const spelling of spellingsOf(text)) {
    for (const form of forms) {
      for (const [from, to] of placesOf(form, spelling.text)) {
        hidden.fill(1, spelling.starts[from], spelling.ends[to - 1]);
      }
    }
  }
  let result = "";
  for (let at = 0; at < text.length; at++) {
    if (!hidden[at]) result += text[at];
    else if (!hidden[at - 1]) result += mark;
  }
  // What stood side by side is one, so that nobody counts.
  return result.replace(/(?:\[secret\]){2,}/g, mark);
}

/** Where a form stands in a text, whole or in pieces: from, and to what comes behind it. */
function* placesOf(form: string, text: string): Generator<readonly [from: number, to: number]> {
  const length = Math.min(telling, form.length);
  for (const at of indexesOf(form.slice(0, length), text)) {
    let end = at + length;
    while (end < text.length && text[end] === form[end - at]) end++;
    yield [at, end];
  }
  for (const at of indexesOf(form.slice(-length), text)) {
    let start = at;
    const offset = form.length - length - at;
    while (start > 0 && start + offset > 0 && text[start - 1] === form[start - 1 + offset]) start--;
    yield [start, at + length];
  }
  // Where a text was cut, or a piece was taken out before, less of a secret may be left.
  for (const cut of text.matchAll(/…|\.{3}|\[secret\]/g)) {
    const [before, after] = [cut.index, cut.index + cut[0].length];
    for (let piece = length - 1; piece >= shortest; piece--) {
      if (text.endsWith(form.slice(0, piece), before)) yield [before - piece, before];
      if (text.startsWith(form.slice(-piece), after)) yield [after, after + piece];
    }
  }
}

function* indexesOf(part: string, text: string): Generator<number> {
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) yield at;
}

/** What stands for a secret in a text without escapes. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString("hex");
  const codes = [0, 1, 2].map((before) => base64Core(bytes, before));
  const encoded = [hex, hex.toUpperCase(), ...codes, ...codes.map(forAddresses)];
  const lines = secret.split(/[\r\n]+/).filter(({ length }) => length >= telling);
  const clear = [secret, secret.replaceAll(" ", "+"), ...lines];
  const forms = clear.flatMap((form) => spellingsOf(form).map(({ text }) => text.trim()));
  return [
    ...[...forms, bytes.toString("base64")].filter(({ length }) => length >= shortest),
    ...encoded.filter(({ length }) => length >= 8),
  ];
}

/** What of the base64 of a longer text is the secret's alone, if so many bytes stand before it. */
function base64Core(bytes: Buffer, before: number): string {
  const code = Buffer.concat([Buffer.alloc(before), bytes])
    .toString("base64")
    .replaceAll("=", "");
  const isWhole = (before + bytes.length) % 3 === 0;
  return code.slice([0, 2, 3][before], isWhole ? undefined : -1);
}

function forAddresses(base64: string): string {
  return base64.replaceAll("+", "-").replaceAll("/", "_");
}
