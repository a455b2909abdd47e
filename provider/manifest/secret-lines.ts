/**
 * What the lines of a file that is no YAML tell of its secrets. No value has a place here: shown are the names that
 * lines begin with, and behind them only words of the manifest itself.
 */
import { isCredentialName, mayHoldCredential } from "../text/credential";
import type { Mask } from "./mask";
import { isLikeSecrets } from "./secret-nodes";
import type { Source } from "./source";
import { manifestVocabulary } from "./vocabulary";

/** A key, and `NAME:` or `NAME=` as in a shell: not any text that happens to hold such a sign. */
const beginning = /^(\s*(?:- +)*)(?:(["']?)([A-Za-z_][\w.-]*)\2\s*:(?=\s|$)|[A-Z_][A-Z0-9_]*[:=])/;
/** Below `secrets`: what else might be a name might be a part of a value. */
const beginningOfSecret = /^\s*["']?[A-Z_][A-Z0-9_]*["']?\s*[:=]/;

const variable = /\b[A-Z_][A-Z0-9_]*["']?\s*[:=]/;
/** Where the manifest has a place for a secret. */
const privateWord = /secret|\b(?:value|args|command)\b/i;

/** Whether anything in a text is a sign of a secret. Without one a file that is no YAML is shown, but for its comments. */
export function mayHoldSecrets(text: string): boolean {
  if ([variable, privateWord].some((sign) => sign.test(text))) return true;
  return isCredentialName(text) || mayHoldCredential(text) || finder()(text);
}

export function hideSecretLines(source: Source, mask: Mask): void {
  const mentionsSecrets = finder();
  /** How deep the `secrets` is indented that the line may be below. */
  let secrets: number | undefined;
  for (const span of source.lines()) {
    const line = source.text.slice(span.start, span.end);
    const [name = "", indent = "", , key = ""] = beginning.exec(line) ?? [];
    if (mentionsSecrets(line)) secrets = Math.min(indentOf(line), secrets ?? Infinity);
    else if (secrets !== undefined && manifestVocabulary.has(key) && indent.length <= secrets)
      secrets = undefined;
    const isSecret = secrets !== undefined && !manifestVocabulary.has(key);
    const shown = isSecret ? (beginningOfSecret.exec(line)?.[0] ?? "") : name;
    const from = span.start + shown.length;
    mask.hide({ start: from, end: span.end });
    if (secrets === undefined && shown !== "") showKnownWords(mask, line, shown.length, span.start);
  }
}

function showKnownWords(mask: Mask, line: string, from: number, offset: number): void {
  for (const { 0: word, index } of line.matchAll(/[\w-]+|[{}[\],:"']/g)) {
    if (index < from) continue;
    if (/^\W/.test(word) || manifestVocabulary.has(word))
      mask.show({ start: offset + index, end: offset + index + word.length });
  }
}

/** Compares each word once: a file may be one of nothing but words. */
function finder(): (line: string) => boolean {
  const seen = new Map<string, boolean>();
  return (line) =>
    [...line.matchAll(/[A-Za-z_]+/g)].some(([word]) => {
      if (!seen.has(word)) seen.set(word, isLikeSecrets(word));
      return seen.get(word)!;
    });
}

/** A tab may stand for any depth: what follows it is deeper than nothing. */
function indentOf(line: string): number {
  return /^ */.exec(line)![0].length;
}
