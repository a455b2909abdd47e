/** Parses a file into nodes and problems. Never throws, whatever the text is. */
import { isAlias, isCollection, isMap, isScalar, isSeq, parseDocument, type Scalar } from "yaml";
import { z } from "zod";
import { Manifest } from "../../schema/manifest";
import type { Mask } from "./mask";
import { listNode, mapNode, scalarNode, stringValue, type Entry, type Node, type Span } from "./node";
import type { SourceText } from "./source";
import { isSecret, contextBelow, contextOfItems, type NodeContext } from "./secrecy";
import { addSyntaxProblems, depthLimit, tooDeep } from "./syntax";
import type { Problems } from "./manifest-problems";

/** The most nodes that aliases may add to the file's own. */
const expansionLimit = 100_000;

/** Reads the file's document and masks its secrets; undefined if there is none. */
export function readNodes(source: SourceText, problems: Problems, mask: Mask): Node | undefined {
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
const keyPlace = z.string();

class DocumentReader {
  /** The nodes of anchors; undefined while a node is being read. */
  readonly #anchors = new Map<string, Node | undefined>();
  #expanded = 0;

  constructor(
    readonly source: SourceText,
    readonly problems: Problems,
    readonly mask: Mask,
  ) {}

  read(node: unknown, depth: number, place: NodeContext, at: Span = { start: 0, end: 0 }): Node {
    const span = spanOf(node) ?? at;
    if (isAlias(node)) return this.#follow(node.source, span, place);
    const { anchor } = (node ?? {}) as { anchor?: string };
    if (anchor !== undefined) this.#anchors.set(anchor, undefined);
    // An alias may use it in `secrets`.
    const content = anchor !== undefined && place === "unknown" ? "hidden" : place;
    const result = this.#readContent(node, depth, content, span);
    if (anchor !== undefined) this.#anchors.set(anchor, result);
    return result;
  }

  #readContent(node: unknown, depth: number, place: NodeContext, span: Span): Node {
    if (isCollection(node) && depth >= depthLimit) {
      this.problems.add(span, "depth", tooDeep);
      return scalarNode(null, span);
    }
    if (isMap(node)) return this.#readMap(node.items, depth, place, span);
    if (isSeq(node)) {
      const items = contextOfItems(place);
      return listNode(
        node.items.map((item) => this.read(item, depth + 1, items, span)),
        span,
      );
    }
    if (!isScalar(node)) return scalarNode(null, span);
    const value = plainValue(node.value);
    const hidden = isSecret(place, value);
    if (!hidden) this.mask.hidePasswords(span);
    else if (value !== null || node.anchor || node.tag) this.mask.hide(this.#withProperties(node, span));
    return {
      ...scalarNode(value, span),
      ...(hidden && { isSecret: true }),
      ...(typeof node.value === "bigint" && BigInt(Number(node.value)) !== node.value && { isRounded: true }),
    };
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
    place: NodeContext,
    span: Span,
  ): Node {
    const entries = new Map<string, Entry>();
    const merged: Node[] = [];
    for (const { key, value } of items) {
      const at = spanOf(key) ?? span;
      const name = this.#readKey(key, at, place);
      const isText = isScalar(value) && value.value !== null;
      const below = isMergeKey(key) ? place : contextBelow(place, name, isText);
      // Without a colon, the key may be part of a secret value.
      if (name !== undefined && isSecret(below) && value === null) {
        this.mask.hide(at);
        this.problems.add(at, "key", 'expected "key: value"; put a text with commas or braces in quotes');
        continue;
      }
      const node = this.read(value, depth + 1, below, { start: at.end, end: at.end });
      if (isMergeKey(key)) merged.push(...this.#sourcesOf(node));
      else if (name !== undefined && !entries.has(name)) entries.set(name, { key: at, value: node });
      else if (name !== undefined) {
        const { line } = this.source.positionOf(entries.get(name)!.key.start);
        const where =
          line === this.source.positionOf(at.start).line ? "earlier in this line" : `in line ${line}`;
        this.problems.add(at, "duplicate-key", `duplicate key "${name}"; the first is ${where}`);
      }
    }
    // The map's own keys win over merged ones, and earlier merge sources over later ones.
    for (const source of merged) {
      if (source.kind !== "map") continue;
      for (const [name, entry] of source.entries) if (!entries.has(name)) entries.set(name, entry);
    }
    return mapNode(entries, span);
  }

  /** The key's name; undefined if it cannot be a key. */
  #readKey(key: unknown, at: Span, place: NodeContext): string | undefined {
    // A map inside a secret: its keys may be part of the value.
    if (place === "secret" || place === "variable") {
      this.mask.hide(at);
      return undefined;
    }
    // As keys, `1` and `true` are strings.
    if (isScalar(key) && typeof key.value !== "string" && key.value !== null) {
      return this.source.text.slice(at.start, at.end);
    }
    const node = this.read(key, 0, isCollection(key) ? "unknown" : keyPlace, at);
    const name = stringValue(node);
    if (name === undefined) this.problems.add(at, "key", "a key must be a string");
    else if (name === "__proto__") this.problems.add(at, "key", '"__proto__" cannot be a key');
    else if (node.kind === "scalar" && node.isSecret) this.problems.add(at, "key", secretKey);
    else return name;
    return undefined;
  }

  /** The maps of a merge key. */
  #sourcesOf(node: Node): readonly Node[] {
    const sources = node.kind === "list" ? node.items : [node];
    for (const source of sources.filter(({ kind }) => kind !== "map")) {
      this.problems.add(source.at, "merge", wrongMerge);
    }
    return sources;
  }

  #follow(name: string, at: Span, place: NodeContext): Node {
    const isKnown = this.#anchors.has(name);
    const target = this.#anchors.get(name);
    if (!isKnown) {
      // A secret that begins with "*" parses as an alias.
      if (isSecret(place)) this.mask.hide(at);
      this.problems.add(at, "alias", lostAlias);
    } else if (target === undefined) {
      this.problems.add(at, "alias", "this alias is inside its own anchor");
    } else if (this.#expanded <= expansionLimit) {
      this.#expanded += target.size;
      if (this.#expanded <= expansionLimit) return { ...target, at };
      this.problems.add(at, "expansion", `aliases expand to more than ${expansionLimit} values`);
    }
    return scalarNode(null, at);
  }
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
