/** Taking secrets out of texts, however they are spelled and wherever they were cut. */
import { unescapedForms, withoutBlanks, type Unescaped } from "./unescape";

const mark = "[secret]";
/** One or two characters stand in every text; taking them out would say more than leaving them. */
const shortest = 3;
/** A piece of a secret this long is no coincidence, wherever it stands. */
const telling = 12;

export type Redact = (text: string) => string;

export interface Shown {
  /** What is shown anyway, the name of the deployment say: what of a secret lies within it stays. */
  readonly kept?: readonly string[];
  /** What is no secret, other arguments say: a piece of a secret that also stands in one of these says nothing of the secret. */
  readonly open?: readonly string[];
}

/**
 * For what a service says: takes out every secret, in clear, escaped in any of the usual ways, encoded, or in pieces, in
 * whatever case its letters are.
 */
export function redactor(secrets: Iterable<string>, shown: Shown = {}): Redact {
  return redactWith(new Forms(secrets), () => false, shown);
}

/**
 * For what is said here, with names, ids, statuses and numbers in it: as above, but for what stands in ordinary texts
 * too. Those would be garbled by the values of `PORT=8000` or `APP=chat`, which they do not repeat.
 */
export function redactorOfOwnWords(secrets: Iterable<string>, shown: Shown = {}): Redact {
  return redactWith(new Forms([...secrets].filter((secret) => !isOrdinary(secret))), isPlain, shown);
}

export function redact(text: string, secrets: Iterable<string>): string {
  return redactor(secrets)(text);
}

function isOrdinary(value: string): boolean {
  return value.length < 8 || (value.length <= 20 && isPlain(value));
}

/** Words, numbers and versions, side by side as in names, addresses, dates and sentences. */
function isPlain(text: string): boolean {
  return /^(?:(?:\p{Lu}?\p{Ll}+|\p{Lu}+|\p{N}+|\p{Ll}{1,2}\p{N})?(?:[-_./: ]+|$))+$/u.test(text);
}

/** The same between other signs: `.example.com`, the rest of a host. */
function isPlainWithin(text: string): boolean {
  return isPlain(text.replace(/^[-_./:]+/, ""));
}

/** Whether a piece of a text is a part of a longer name in it, such as a host's, and does not stand by itself. */
function isInName(text: string, [from, to]: Place): boolean {
  return (
    /[\p{L}\p{N}][-_.]?$/u.test(text.slice(0, from)) || /^[-_.]?[\p{L}\p{N}]/u.test(text.slice(to, to + 3))
  );
}

type Pass = (piece: string) => boolean;

function redactWith(forms: Forms, isPassed: Pass, { kept = [], open: others = [] }: Shown): Redact {
  const parts = kept.filter((part) => part !== "");
  const folded = others.map(fold);
  const isOpen = (piece: string) => isPassed(piece) || folded.some((other) => other.includes(fold(piece)));
  return (text) => {
    const open = parts.reduce((rest, part) => rest.replaceAll(part, blank.repeat(part.length)), text);
    const hidden = new Uint8Array(text.length);
    const hide = ({ starts, ends }: Unescaped, [from, to]: Place) => {
      const [start, end] = [starts[from]!, ends[to - 1]!];
      if (!isBlank(open.slice(start, end))) hidden.fill(1, start, end);
    };
    for (const form of unescapedForms(text)) {
      for (const place of forms.wholeIn(form.text)) hide(form, place);
      const unbroken = withoutBlanks(form);
      for (const place of forms.brokenIn(unbroken.text)) hide(unbroken, place);
    }
    for (const form of unescapedForms(open)) {
      for (const place of forms.piecesIn(form.text, isOpen)) hide(form, place);
      for (const place of forms.atCuts(form.text, isPassed)) hide(form, place);
    }
    let result = "";
    for (let at = 0; at < text.length; at++) {
      if (!hidden[at]) result += text[at];
      else if (!hidden[at - 1]) result += mark;
    }
    // What stood side by side is one, so that nobody counts.
    return result.replace(/(?:\[secret\]){2,}/g, mark);
  };
}

/** Stands for a character that is shown in any case. */
const blank = "\ufffd";

function isBlank(text: string): boolean {
  return text === blank.repeat(text.length);
}

type Place = readonly [from: number, to: number];

/** What stands for a secret, and how it is compared: two texts of the same length. */
interface Form {
  readonly text: string;
  readonly folded: string;
}

/** All that stands for some secrets in a text without escapes. Made once for many texts, and only if there is one. */
class Forms {
  readonly #secrets: Iterable<string>;
  #all: readonly Form[] | undefined;
  #unbroken: readonly string[] | undefined;
  #edges: ReadonlySet<string> | undefined;

  constructor(secrets: Iterable<string>) {
    this.#secrets = secrets;
  }

  *wholeIn(text: string): Generator<Place> {
    const seen = fold(text);
    for (const { folded } of this.#forms()) {
      for (const at of indexesOf(folded, seen)) yield [at, at + folded.length];
    }
  }

  /** Within a text whose blanks were taken out, some of which were line breaks within a secret. */
  *brokenIn(text: string): Generator<Place> {
    this.#unbroken ??= [...new Set(this.#forms().map(({ folded }) => folded.replaceAll(/\s/g, "")))];
    const seen = fold(text);
    for (const form of this.#unbroken) {
      if (form.length < telling) continue;
      for (const at of indexesOf(form, seen)) yield [at, at + form.length];
    }
  }

  /**
   * Plain words are passed where they are a part of a longer name: `.example.com`, say. Each piece of the text is looked up
   * once, so that the time grows with the text and with the secrets, and not with their product.
   */
  *piecesIn(text: string, isPassed: Pass): Generator<Place> {
    const all = this.#forms();
    if (all.length === 0) return;
    const seen = new Windows(fold(text));
    for (const form of all) {
      const begins: number[] = [];
      for (let at = 0; at + telling <= form.folded.length; at++) {
        if (!seen.mayHave(form.folded, at)) continue;
        const places = seen.take(form.folded.slice(at, at + telling));
        if (places === undefined) continue;
        // As the secret is written: in small letters alone, half of them would pass for words.
        if (!isPassed(form.text.slice(at, at + telling))) begins.push(...places);
      }
      for (const [from, to] of runsOf(begins)) {
        const piece = text.slice(from, to);
        const place = [from + piece.search(/\S/), from + piece.trimEnd().length] as const;
        if (!(isPlainWithin(text.slice(...place)) && isInName(text, place))) yield place;
      }
    }
  }

  #forms(): readonly Form[] {
    this.#all ??= [...new Set([...this.#secrets].flatMap(formsOf))].map((text) => ({
      text,
      folded: fold(text),
    }));
    return this.#all;
  }

  /** Where a text was cut, or a piece was taken out before, less of a secret may be left. */
  *atCuts(text: string, isPassed: Pass): Generator<Place> {
    const cuts = [...text.matchAll(cut)];
    const all = this.#forms();
    if (cuts.length === 0 || all.length === 0) return;
    this.#edges ??= new Set(all.flatMap(({ folded }) => edgesOf(folded)));
    const joined = all.map(({ folded }) => folded).join("\0");
    for (const [index, cut] of cuts.entries()) {
      const [before, after] = [cut.index, cut.index + cut[0].length];
      // The sign of a cut may stand in brackets, or apart; what was taken out leaves its rest side by side.
      const isApart = cut[0] !== mark;
      const ends = new Set([before, before - (isApart ? lengthOf(text.slice(0, before), /[\s([{<]+$/) : 0)]);
      const begins = new Set([after, after + (isApart ? lengthOf(text.slice(after), /^[\s)\]}>]+/) : 0)]);
      for (let length = telling - 1; length >= shortest; length--) {
        for (const from of [...[...ends].map((end) => end - length), ...begins]) {
          const piece = text.slice(Math.max(from, 0), from + length);
          if (this.#edges.has(fold(piece)) && !isPassed(piece)) yield [from, from + length];
        }
      }
      // A middle that was cut on both sides.
      const next = cuts[index + 1]?.index ?? after;
      for (const begin of begins) {
        const middle = text.slice(begin, next).replace(begin === after ? "" : /[\s([{<]+$/, "");
        const mayBePiece = middle.length >= shortest && middle.length < telling && !isPassed(middle);
        if (mayBePiece && joined.includes(fold(middle))) yield [begin, begin + middle.length];
      }
    }
  }
}

/** An ellipsis, what was taken out before, a mask, and `[truncated]` or `<snip>`. */
const cut =
  /…|\.{3}|\[secret\]|[*•●█]{2,}|[[(<{][^[\](){}<>]{0,40}?(?:truncated|snip|redacted|masked|hidden|omitted|elided)[^[\](){}<>]{0,40}[\])>}]/gi;

function lengthOf(text: string, part: RegExp): number {
  return part.exec(text)?.[0].length ?? 0;
}

/** The stretches that windows which follow each other make. */
function runsOf(begins: readonly number[]): Place[] {
  const runs: [number, number][] = [];
  for (const begin of [...begins].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last !== undefined && begin <= last[1] - telling + 1) last[1] = begin + telling;
    else runs.push([begin, begin + telling]);
  }
  return runs;
}

/** All pieces of a text that are as long as is telling, with their places. */
class Windows {
  readonly #places = new Map<string, number[]>();
  /** Says of nearly all pieces that are not there that they are not, without cutting them out: a secret may be a megabyte. */
  readonly #marks = new Uint8Array(2 ** 16);

  constructor(text: string) {
    for (let at = 0; at + telling <= text.length; at++) {
      const window = text.slice(at, at + telling);
      const places = this.#places.get(window);
      if (places === undefined) this.#places.set(window, [at]);
      else places.push(at);
      this.#marks[markOf(text, at)] = 1;
    }
  }

  mayHave(text: string, at: number): boolean {
    return this.#marks[markOf(text, at)] === 1;
  }

  /** Each is found once. */
  take(window: string): number[] | undefined {
    const places = this.#places.get(window);
    this.#places.delete(window);
    return places;
  }
}

function markOf(text: string, at: number): number {
  const [first, last] = [text.charCodeAt(at), text.charCodeAt(at + telling - 1)];
  return ((first * 31 + text.charCodeAt(at + telling / 2)) * 31 + last) & 0xffff;
}

/** Without letter case, and of the same length: a letter that would become two stays. */
function fold(text: string): string {
  const small = text.toLowerCase();
  if (small.length === text.length) return small;
  return text.replace(/[^]/gu, (each) =>
    each.toLowerCase().length === each.length ? each.toLowerCase() : each,
  );
}

/** Short pieces from both ends of a form. */
function edgesOf(form: string): string[] {
  const lengths = Array.from({ length: telling - shortest }, (_, at) => at + shortest);
  return lengths
    .filter((length) => length <= form.length)
    .flatMap((length) => [form.slice(0, length), form.slice(-length)]);
}

function* indexesOf(part: string, text: string): Generator<number> {
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) yield at;
}

/** What stands for a secret in a text without escapes. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString("hex");
  const codes = [0, 1, 2].map((before) => base64Core(bytes, before));
  const encoded = [hex, ...codes, ...codes.map(forAddresses)];
  const lines = secret.split(/[\r\n]+/).filter(({ length }) => length >= telling);
  const clear = [secret, secret.replaceAll(" ", "+"), ...lines];
  const forms = clear.flatMap((form) => unescapedForms(form).map(({ text }) => text.trim()));
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
