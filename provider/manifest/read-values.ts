/** Parses a file into values and problems. Never throws, whatever the text is. */
import { isAlias, isCollection, isMap, isScalar, isSeq, parseDocument, type Scalar } from "yaml";
import { z } from "zod";
import { Manifest } from "../../schema/manifest";
import { isObject } from "../../schema/tree";
import type { Mask } from "./mask";
import { entriesOf, listOf, membersOf, objectOf, type Placed, type Span } from "./places";
import type { SourceText } from "./source";
import { isSecret, contextBelow, contextOfItems, type Context } from "./secrecy";
import { addSyntaxProblems, depthLimit, tooDeep } from "./syntax";
import type { Problems } from "./manifest-problems";

/** The most values that aliases may add to the file's own. */
const expansionLimit = 100_000;

/** Reads the file's document and masks its secrets; undefined if there is none. */
export function readValues(source: SourceText, problems: Problems, mask: Mask): Placed | undefined {
  const { encoding, brokenAt = encoding === "utf-8" ? undefined : 0 } = source;
  if (brokenAt !== undefined) {
    const what = encoding === "utf-8" ? "the file is not UTF-8 from here on" : "the file is UTF-16";
    problems.add({ start: brokenAt, end: brokenAt + 1 }, "encoding", `${what}: save it as UTF-8`);
    return undefined;
  }
  try {
    const document = parseDocument(source.text, {
      // Problems have their own positions, messages and rules.
      prettyErrors: false,
      uniqueKeys: false,
      merge: false,
      resolveKnownTags: false,
      intAsBigInt: true,
      version: "1.2",
      logLevel: "error",
    });
    addSyntaxProblems(document, source.text, problems);
    const { contents } = document;
    if (contents === null || (isScalar(contents) && contents.value === null)) {
      problems.add({ start: 0, end: 0 }, "empty", "the file is empty; begin with `version: 1`");
      return undefined;
    }
    // A file that is a single string may be anything, such as an environment file.
    return new DocumentReader(source, problems, mask).read(
      contents,
      0,
      isScalar(contents) ? "unknown" : Manifest,
    );
  } catch (error) {
    // The parser recurses, so many nested brackets exhaust the call stack.
    if (!(error instanceof RangeError)) throw error;
    problems.add({ start: 0, end: 0 }, "depth", tooDeep);
    return undefined;
  }
}

const wrongMerge =
  'the merge key "<<" accepts an object or a list of objects; for a key of that name, write it in quotes: "<<"';

const lostAlias = 'no anchor of this name above this line; put a string that begins with "*" in quotes';

const secretKey = "a key cannot be an alias of a secret, because keys are shown; write the name itself";

/** Keys are always visible. */
const keyContext = z.string();

class DocumentReader {
  /** The values of anchors; undefined while one is being read. */
  readonly #anchors = new Map<string, Placed | undefined>();
  #expanded = 0;

  constructor(
    readonly source: SourceText,
    readonly problems: Problems,
    readonly mask: Mask,
  ) {}

  read(node: unknown, depth: number, context: Context, at: Span = { start: 0, end: 0 }): Placed {
    const span = spanOf(node) ?? at;
    if (isAlias(node)) return this.#follow(node.source, span, context);
    const { anchor } = (node ?? {}) as { anchor?: string };
    if (anchor !== undefined) this.#anchors.set(anchor, undefined);
    // An alias may use it in `secrets`.
    const content = anchor !== undefined && context === "unknown" ? "hidden" : context;
    const result = this.#readContent(node, depth, content, span);
    if (anchor !== undefined) this.#anchors.set(anchor, result);
    return result;
  }

  #readContent(node: unknown, depth: number, context: Context, span: Span): Placed {
    if (isCollection(node) && depth >= depthLimit) {
      this.problems.add(span, "depth", tooDeep);
      return placed(null, span);
    }
    if (isMap(node)) return this.#readMap(node.items, depth, context, span);
    if (isSeq(node)) {
      const inner = contextOfItems(context);
      const items = node.items.map((item) => this.read(item, depth + 1, inner, span));
      return placed(listOf(items), span);
    }
    if (!isScalar(node)) return placed(null, span);
    const value = plainValue(node.value);
    const hidden = isSecret(context, value);
    if (!hidden) this.mask.hidePasswords(span);
    else if (value !== null || node.anchor || node.tag) this.mask.hide(this.#withProperties(node, span));
    const isRounded = typeof node.value === "bigint" && BigInt(Number(node.value)) !== node.value;
    return { value, place: { key: span, at: span, isSecret: hidden, isRounded } };
  }

  /** Includes the anchor and the tag before the value, because a secret may begin like one. */
  #withProperties({ anchor, tag }: Scalar, { start, end }: Span): Span {
    if (!anchor && !tag) return { start, end };
    const { text } = this.source;
    const line = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
    const [properties] = /(?:(?<![^\s,[{])[&!][^\s,[\]{}]*\s*)*$/.exec(line)!;
    return { start: start - properties.length, end };
  }

  #readMap(
    items: readonly { key: unknown; value: unknown }[],
    depth: number,
    context: Context,
    span: Span,
  ): Placed {
    const entries = new Map<string, Placed>();
    const merged: Placed[] = [];
    for (const { key, value } of items) {
      const at = spanOf(key) ?? span;
      const name = this.#readKey(key, at, context);
      const isText = isScalar(value) && value.value !== null;
      const below = isMergeKey(key) ? context : contextBelow(context, name, isText);
      // Without a colon, the key may be part of a secret value.
      if (name !== undefined && isSecret(below) && value === null) {
        this.mask.hide(at);
        this.problems.add(at, "key", 'expected "key: value"; put a text with commas or braces in quotes');
        continue;
      }
      const found = this.read(value, depth + 1, below, { start: at.end, end: at.end });
      if (isMergeKey(key)) merged.push(...this.#sourcesOf(found));
      else if (name !== undefined && !entries.has(name))
        entries.set(name, { ...found, place: { ...found.place, key: at } });
      else if (name !== undefined) {
        const { line } = this.source.positionOf(entries.get(name)!.place.key.start);
        const where =
          line === this.source.positionOf(at.start).line ? "earlier in this line" : `in line ${line}`;
        this.problems.add(at, "duplicate-key", `duplicate key "${name}"; the first is ${where}`);
      }
    }
    // The map's own keys win over merged ones, and earlier merge sources over later ones.
    for (const { value } of merged)
      for (const [name, entry] of entriesOf(value)) if (!entries.has(name)) entries.set(name, entry);
    return placed(objectOf(entries), span);
  }

  /** The key's name; undefined if it cannot be a key. */
  #readKey(key: unknown, at: Span, context: Context): string | undefined {
    // A map inside a secret: its keys may be part of the value.
    if (context === "secret" || context === "variable") {
      this.mask.hide(at);
      return undefined;
    }
    // As keys, `1` and `true` are strings.
    if (isScalar(key) && typeof key.value !== "string" && key.value !== null) {
      return this.source.text.slice(at.start, at.end);
    }
    const { value, place: found } = this.read(key, 0, isCollection(key) ? "unknown" : keyContext, at);
    if (typeof value !== "string") this.problems.add(at, "key", "a key must be a string");
    else if (value === "__proto__") this.problems.add(at, "key", '"__proto__" cannot be a key');
    else if (found.isSecret) this.problems.add(at, "key", secretKey);
    else return value;
    return undefined;
  }

  /** The objects of a merge key. */
  #sourcesOf(given: Placed): readonly Placed[] {
    const sources = Array.isArray(given.value) ? membersOf(given.value) : [given];
    for (const { value, place } of sources)
      if (!isObject(value)) this.problems.add(place.at, "merge", wrongMerge);
    return sources;
  }

  #follow(name: string, at: Span, context: Context): Placed {
    const isKnown = this.#anchors.has(name);
    const target = this.#anchors.get(name);
    if (!isKnown) {
      // A secret that begins with "*" parses as an alias.
      if (isSecret(context)) this.mask.hide(at);
      this.problems.add(at, "alias", lostAlias);
    } else if (target === undefined) {
      this.problems.add(at, "alias", "this alias is inside its own anchor");
    } else if (this.#expanded <= expansionLimit) {
      this.#expanded += sizeOf(target.value);
      if (this.#expanded <= expansionLimit) return { ...target, place: { ...target.place, key: at, at } };
      this.problems.add(at, "expansion", `aliases expand to more than ${expansionLimit} values`);
    }
    return placed(null, at);
  }
}

/** The number of values in a value, itself and what aliases repeat included. */
function sizeOf(value: unknown): number {
  return membersOf(value).reduce((sum, each) => sum + sizeOf(each.value), 1);
}

function placed(value: unknown, at: Span): Placed {
  return { value, place: { key: at, at } };
}

function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.value === "<<" && key.type === "PLAIN";
}

function plainValue(value: unknown): string | number | boolean | null {
  if (typeof value === "bigint") return Number(value);
  const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return isPlain ? value : null;
}

function spanOf(node: unknown): Span | undefined {
  const { range } = (node ?? {}) as { range?: [number, number, number] | null };
  return range ? { start: range[0], end: range[1] } : undefined;
}
