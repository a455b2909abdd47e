/**
 * What a file's values tell of its secrets. Shown is what stands where the schema knows it, and not below `secrets`:
 * an entry that slipped out of `secrets` by its indentation is one that no schema knows.
 */
import { z } from "zod";
import { Manifest, ManifestDeployment } from "../../schema/manifest";
import { didYouMean, nearest } from "../../schema/problems";
import { withoutCredentials } from "../../schema/address";
import { Container, EnvironmentVariable } from "../../schema/kubernetes";
import { isCredentialName, mayHoldCredential } from "../text/credential";
import type { Mask } from "./mask";
import type { Entry, MapNode, Node, ScalarNode, Span } from "./node";
import { isPlainReference } from "./reference";
import { describeType, unwrap, type Type } from "./types";
import { manifestVocabulary } from "./vocabulary";

/** Members of what the schema knows that are as likely to hold a secret as not. */
const privateMembers = new Map<z.ZodType, readonly string[]>([
  [EnvironmentVariable, ["value"]],
  [Container, ["command", "args"]],
]);

/** @returns the keys that stand for something masked */
export function hideSecrets(root: Node, mask: Mask): Span[] {
  hideComments(mask);
  const hider = new Hider(mask);
  hider.visit(root, Manifest);
  return hider.hideAliases();
}

/** Somebody may have taken a secret into a comment. A value that holds the sign is shown as a value. */
export function hideComments(mask: Mask): void {
  for (const { 0: comment, index } of mask.text.matchAll(/(?<=^|\s)#[^\n]*/gm)) {
    mask.hide({ start: index + 1, end: index + comment.length });
  }
}

/** `secrets`, misspelt or not, but not a name or a key of a secret that is kept elsewhere. */
export function isLikeSecrets(key: string): boolean {
  if (/^secret(Name|Key|References?)$/i.test(key)) return false;
  return key === "secrets" || didYouMean(key, ["secrets"]) !== "";
}

class Hider {
  readonly #hidden = new Set<Node>();
  readonly #visited = new Map<Node, Set<z.ZodType>>();

  /** Of each map, where the first word stands that is like `secrets`. */
  readonly #secretsIn = new Map<MapNode, number>();

  /** Texts and keys that are aliases, with where what they stand for stands. */
  readonly #aliases: { readonly at: Span; readonly origin: Span; readonly isKey: boolean }[] = [];

  constructor(readonly mask: Mask) {}

  /** Once all is hidden: what stands for a secret is one, wherever it stands. */
  hideAliases(): Span[] {
    const hidden = this.#aliases.filter(({ origin }) => this.mask.covers(origin));
    for (const { at } of hidden) this.mask.hide(at);
    return hidden.filter(({ isKey }) => isKey).map(({ at }) => at);
  }

  visit(node: Node, given: z.ZodType): void {
    const { type } = unwrap(given);
    if (this.#wasVisited(node, type)) return;
    const described = describeType(type);
    if (node.kind === "scalar") return this.#visitScalar(node, type);
    if (!isMadeFor(described, node)) return this.#hide(node, node.at, true);
    if (node.kind === "list") {
      const items = described.kind === "list" ? described.items : type;
      return node.items.forEach((item) => this.visit(item, items));
    }
    const typeOf = (key: string, entry: Entry) => this.#typeOfEntry(described, type, key, entry, node);
    for (const [key, entry] of node.entries) this.#visitEntry(node, key, entry, typeOf(key, entry));
    for (const entry of node.refused ?? []) {
      const key = this.mask.text.slice(entry.key.start, entry.key.end);
      this.#visitEntry(node, key, entry, key === "<<" ? type : typeOf(key, entry));
    }
  }

  /** A file lists a node once, and aliases repeat it; the same node may stand where other types are expected. */
  #wasVisited(node: Node, type: z.ZodType): boolean {
    const types = this.#visited.get(node) ?? new Set();
    const was = types.has(type);
    this.#visited.set(node, types.add(type));
    return was;
  }

  #visitScalar(node: Node, type: z.ZodType): void {
    if (node.origin !== undefined) this.#aliases.push({ at: node.at, origin: node.origin, isKey: false });
    // A text in place of an object is an entry of something else; so may be what goes on over several lines.
    const text = this.mask.text.slice(node.at.start, node.at.end);
    const { kind } = describeType(type);
    const isStray = (kind === "object" || kind === "map") && !/^(null|~)?$/i.test(text);
    const isPlainBlock = /^[^"'|>][^]*\n/.test(text);
    const isLost = node.kind === "scalar" && node.isLost === true;
    if (isStray || isPlainBlock || isLost || mayHoldCredential(text)) this.#hide(node, node.at);
    else if (text.includes("#")) this.mask.show(node.at);
  }

  #visitEntry(map: MapNode, key: string, entry: Entry, type: z.ZodType | undefined): void {
    const { value } = entry;
    if (entry.isBare) this.mask.hide(entry.key);
    const isSecret =
      type === undefined ||
      (type === ManifestDeployment.shape["secrets"] && key === "secrets") ||
      (value.kind === "scalar"
        ? isCredential(map, key) || isPrivateAddress(key, value)
        : isFreeForm(type) && (isCredential(map, key) || isLikeSecrets(key)));
    if (isSecret) return this.#hideEntry(entry, isLikeSecrets(key));
    this.#noteAlias(entry);
    this.visit(value, type);
  }

  #noteAlias({ key: at, keyOrigin: origin }: Entry): void {
    if (origin !== undefined) this.#aliases.push({ at, origin, isKey: true });
  }

  /** @param hasNames whether the keys below it are names of secrets; a key within a secret is a part of its value */
  #hideEntry(entry: Entry, hasNames = false): void {
    const { key, value, isBare } = entry;
    this.#noteAlias(entry);
    if (isBare) this.mask.hide(key);
    const colon = isBare ? key.end : this.mask.text.indexOf(":", key.end) + 1;
    // What stands before an alias stands elsewhere, and so does what it is an alias of.
    this.#hide(value, { start: colon, end: Math.max(colon, value.at.end) }, hasNames);
  }

  /** Hides a value and all that stands between its parts; shown are the names in it and what is only a reference. */
  #hide(node: Node, around: Span, hasNames = false): void {
    this.mask.hideWords(around);
    if (node.origin !== undefined) this.mask.hideWords(this.#wholeLines(node.origin));
    if (this.#hidden.has(node) && node.kind !== "scalar") return;
    this.#hidden.add(node);
    if (node.kind === "scalar") {
      for (const span of [node.at, node.origin]) if (span !== undefined) this.mask.hide(span);
      if (typeof node.value === "string" && isPlainReference(node.value)) this.mask.show(node.at);
      return;
    }
    if (!this.#isFlow(node.at)) this.mask.hideWords(this.#wholeLines(node.at));
    if (node.kind === "list") return node.items.forEach((item) => this.#hide(item, item.at, hasNames));
    for (const entry of [...node.entries.values(), ...(node.refused ?? [])]) {
      if (hasNames && !entry.isBare) this.mask.show(nameIn(this.mask.text, entry.key));
      this.#hideEntry(entry);
    }
  }

  /** What is expected below a key; undefined where nothing is known of it. */
  #typeOfEntry(
    described: Type,
    type: z.ZodType,
    key: string,
    entry: Entry,
    map: MapNode,
  ): z.ZodType | undefined {
    if (described.kind === "map") return described.values;
    if (described.kind !== "object") return type;
    const { shape } = described;
    const field = Object.hasOwn(shape, key) ? key : nearestField(key, Object.keys(shape));
    if (field !== undefined) return privateMembers.get(type)?.includes(field) ? undefined : shape[field];
    // A field in the wrong place. Names of secrets are in capitals, and may be a field's.
    const isField = /[a-z]/.test(key) && manifestVocabulary.has(key) && !isLikeSecrets(key);
    if (!isField || (entry.value.kind === "scalar" && this.#isAfterSecrets(map, entry))) return undefined;
    return (ManifestDeployment.shape as Readonly<Record<string, z.ZodType>>)[key] ?? z.unknown();
  }

  /** Whether an entry stands in its map behind something like `secrets`, of which it may have slipped out. */
  #isAfterSecrets(map: MapNode, { key }: Entry): boolean {
    if (!this.#secretsIn.has(map)) this.#secretsIn.set(map, this.#firstLikeSecrets(map.at));
    return this.#secretsIn.get(map)! < key.start;
  }

  #firstLikeSecrets({ start, end }: Span): number {
    for (const { 0: word, index } of this.mask.text.slice(start, end).matchAll(/[A-Za-z_]+/g))
      if (isLikeSecrets(word)) return start + index;
    return Infinity;
  }

  #isFlow({ start }: Span): boolean {
    return this.mask.text[start] === "{" || this.mask.text[start] === "[";
  }

  /** To the end of the last line, for the comment there. */
  #wholeLines({ start, end }: Span): Span {
    const { text } = this.mask;
    const next = text[end - 1] === "\n" ? end : text.indexOf("\n", end);
    return { start, end: next === -1 ? text.length : next };
  }
}

/** Of a key what is a name: all of it, or what stands before a sign that parts names from values. */
function nameIn(text: string, { start, end }: Span): Span {
  const key = text.slice(start, end);
  const [name = ""] = /^(["']?)[A-Za-z_]\w*\1$/.exec(key) ?? /^["']?[A-Za-z_]\w*(?=[:=])/.exec(key) ?? [];
  return { start, end: start + name.length };
}

/** Which field a slip of the pen may have meant. */
function nearestField(key: string, fields: readonly string[]): string | undefined {
  return /[a-z]/.test(key) && !isLikeSecrets(key) ? nearest(key, fields) : undefined;
}

function isFreeForm(type: z.ZodType): boolean {
  return describeType(unwrap(type).type).kind === "any";
}

/** A value under the name of a credential, or beside it: `{ name: API_KEY, value: … }`. */
function isCredential({ entries }: MapNode, key: string): boolean {
  if (key === "secretName" || key === "secretKey" || key === "secretReferences") return false;
  const name = entries.get("name")?.value;
  const beside = key === "value" && name?.kind === "scalar" ? String(name.value) : "";
  return isCredentialName(key) || isCredentialName(beside);
}

/** The address of a repository or of a deployment, with more in it than a place. */
function isPrivateAddress(key: string, { value }: ScalarNode): boolean {
  if (key !== "repoUrl" && key !== "customUrl") return false;
  return typeof value === "string" && withoutCredentials(value) !== value;
}

function isMadeFor({ kind }: Type, node: Node): boolean {
  if (kind === "any") return true;
  return node.kind === "list" ? kind === "list" : kind === "object" || kind === "map";
}
