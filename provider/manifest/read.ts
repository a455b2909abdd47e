/** From the text of a file to its nodes. Whatever the text is, the result is nodes and problems, never an error. */
import { isAlias, isCollection, isMap, isScalar, isSeq, parseDocument, type Scalar } from "yaml";
import { list, map, scalar, type Entry, type Node, type Span } from "./node";
import type { Source } from "./source";
import { addSyntaxProblems, depthLimit, tooDeep } from "./syntax";
import { nameOf, quoting, type Problems } from "./problem";

/** How many nodes aliases may add to what the file itself holds. */
const expansionLimit = 100_000;

/** The file's one document; undefined when it has none. */
export function readNodes(source: Source, problems: Problems): Node | undefined {
  if (source.brokenAt !== undefined) {
    const at = { start: source.brokenAt, end: source.brokenAt + 1 };
    problems.add(
      at,
      "encoding",
      source.isUtf16
        ? "the file is UTF-16: save it as UTF-8"
        : "the file is not UTF-8 from here on: save it as UTF-8",
    );
    return undefined;
  }
  try {
    const document = parseDocument(source.text, {
      // Problems are told with our own places, texts and rules.
      prettyErrors: false,
      uniqueKeys: false,
      merge: false,
      version: "1.2",
      logLevel: "error",
    });
    addSyntaxProblems(document, source.text, problems);
    const { contents } = document;
    if (contents === null || (isScalar(contents) && contents.value === null)) {
      problems.add({ start: 0, end: 0 }, "empty", "the file is empty; begin with `version: 1`");
      return undefined;
    }
    return new DocumentReader(source, problems).read(contents, 0);
  } catch (error) {
    // The parser recurses, so that a file of nothing but brackets exhausts the stack.
    if (!(error instanceof RangeError)) throw error;
    problems.add({ start: 0, end: 0 }, "depth", tooDeep);
    return undefined;
  }
}

const wrongMerge =
  'the merge key "<<" takes an object or a list of objects; a name of your own is written in quotes: "<<"';

const lostAlias = 'no anchor of this name above this line; a text that begins with "*" is written in quotes';

/** Between a key and its colon. */
const longestGap = 100;

interface Key {
  /** Undefined for what cannot be a key. */
  readonly name: string | undefined;
  readonly origin?: Span | undefined;
  readonly isLost: boolean;
}

class DocumentReader {
  /** What an anchor stands for; undefined while it is being read. */
  readonly #anchors = new Map<string, Node | undefined>();
  #expanded = 0;

  constructor(
    readonly source: Source,
    readonly problems: Problems,
  ) {}

  read(node: unknown, depth: number, at: Span = { start: 0, end: 0 }): Node {
    const span = spanOf(node) ?? at;
    if (isAlias(node)) return this.#follow(node.source, span);
    const { anchor } = (node ?? {}) as { anchor?: string };
    if (anchor !== undefined) this.#anchors.set(anchor, undefined);
    const result = this.#readContent(node, depth, span);
    if (anchor !== undefined) this.#anchors.set(anchor, result);
    return result;
  }

  #readContent(node: unknown, depth: number, span: Span): Node {
    if (isCollection(node) && depth >= depthLimit) {
      this.problems.add(span, "depth", tooDeep);
      return scalar(null, span);
    }
    if (isMap(node)) return this.#readMap(node.items, depth, span);
    if (isSeq(node))
      return list(
        node.items.map((item) => this.read(item, depth + 1, span)),
        span,
      );
    if (!isScalar(node)) return scalar(null, span);
    return { ...scalar(plainValue(node.value), span), ...(isRounded(node) && { isRounded: true }) };
  }

  #readMap(items: readonly { key: unknown; value: unknown }[], depth: number, span: Span): Node {
    const entries = new Map<string, Entry>();
    const merged: Node[] = [];
    const refused: Entry[] = [];
    for (const { key, value } of items) {
      const at = spanOf(key) ?? span;
      const { name, origin: keyOrigin, isLost } = this.#readKey(key, at);
      const node = this.read(value, depth + 1, { start: at.end, end: at.end });
      const isBare = isLost || !/^[ \t]*:/.test(this.source.text.slice(at.end, at.end + longestGap));
      const entry = { key: at, keyOrigin, value: node, ...(isBare && { isBare }) };
      const first = name === undefined ? undefined : entries.get(name);
      if (isMergeKey(key)) merged.push(...this.#sourcesOf(node));
      if (name !== undefined && first === undefined && !isMergeKey(key)) entries.set(name, entry);
      else refused.push(entry);
      if (name === undefined || first === undefined) continue;
      const line = this.#lineOf(first.key);
      this.problems.add(
        at,
        "duplicate-key",
        quoting(nameOf(name), (it) => `duplicate key${it}; ${line}`),
      );
    }
    // Keys of the map itself win wherever they stand; of several sources the first.
    for (const source of merged) {
      if (source.kind !== "map") continue;
      for (const [name, entry] of source.entries) if (!entries.has(name)) entries.set(name, entry);
    }
    return refused.length === 0 ? map(entries, span) : { ...map(entries, span), refused };
  }

  #readKey(key: unknown, at: Span): Key {
    // `1` and `true` are texts where a key is meant.
    const node =
      isScalar(key) && typeof key.value !== "string" && key.value !== null
        ? undefined
        : this.read(key, 0, at);
    const name = node === undefined ? this.source.text.slice(at.start, at.end) : textOf(node);
    if (name === undefined) this.problems.add(at, "key", "a key must be a text");
    const isLost = node?.kind === "scalar" && node.isLost === true;
    if (name !== "__proto__") return { name, origin: node?.origin, isLost };
    this.problems.add(at, "key", '"__proto__" cannot be a key');
    return { name: undefined, isLost };
  }

  /** The maps that a merge key names. */
  #sourcesOf(node: Node): readonly Node[] {
    const sources = node.kind === "list" ? node.items : [node];
    for (const source of sources.filter(({ kind }) => kind !== "map")) {
      this.problems.add(source.at, "merge", wrongMerge);
    }
    return sources;
  }

  #follow(name: string, at: Span): Node {
    const isKnown = this.#anchors.has(name);
    const target = this.#anchors.get(name);
    // What is taken for the name of an anchor may be a value: it is never quoted.
    if (!isKnown) {
      this.problems.add(at, "alias", lostAlias);
      return { ...scalar(null, at), isLost: true };
    }
    if (target === undefined) {
      this.problems.add(at, "alias", "this alias stands inside of what it stands for");
    } else if (this.#expanded <= expansionLimit) {
      this.#expanded += target.size;
      if (this.#expanded <= expansionLimit) return { ...target, at, origin: target.origin ?? target.at };
      this.problems.add(at, "expansion", `aliases expand to more than ${expansionLimit} values`);
    }
    return scalar(null, at);
  }

  #lineOf({ start }: Span): string {
    return `the first is in line ${this.source.placeOf(start).line}`;
  }
}

function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.value === "<<" && key.type === "PLAIN";
}

function textOf(node: Node): string | undefined {
  return node.kind === "scalar" && typeof node.value === "string" ? node.value : undefined;
}

function plainValue(value: unknown): string | number | boolean | null {
  if (typeof value === "bigint") return Number(value);
  const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return isPlain ? value : null;
}

/** `1e30` says itself that it is no exact number. */
function isRounded({ value, source }: Scalar): boolean {
  const isWhole = typeof value === "number" && /^[-+]?\d+$|^0[xo]/.test(source ?? "");
  return isWhole && !Number.isSafeInteger(value);
}

function spanOf(node: unknown): Span | undefined {
  const { range } = (node ?? {}) as { range?: [number, number, number] | null };
  return range ? { start: range[0], end: range[1] } : undefined;
}
