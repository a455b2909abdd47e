/** Inserts deployments into a manifest's text. All existing text stays as it is, byte for byte. */
import { isMap, isScalar, parseDocument, type Node, type Pair, type YAMLMap } from "yaml";
import { isEqual, isObject, type Values } from "../../schema/tree";
import { indented, type ManifestEntry } from "./manifest";

type Map = YAMLMap<unknown, unknown>;

/** Adds the entries; undefined if the file's layout has no place for them, as between brackets. */
export function withEntries(text: string, entries: readonly ManifestEntry[]): string | undefined {
  const root = parse(text).contents;
  const added = Object.fromEntries(entries.map(({ key, declaration }) => [key, declaration]));
  const changed = isMap(root) && !root.flow ? insert(text, root, entries) : undefined;
  return changed !== undefined && isAddition(text, changed, added) ? changed : undefined;
}

function insert(text: string, root: Map, entries: readonly ManifestEntry[]): string | undefined {
  const value = valueAt(root, "deployments");
  const block = (columns: number) =>
    indented(entries.map((entry) => entry.text).join(""), columns).replaceAll("\n", lineBreakOf(text));
  if (value === undefined) return intoLines(text, root, `deployments:${lineBreakOf(text)}${block(2)}`);
  if (isNothing(value)) return inPlaceOf(text, value, block(2));
  return isMap(value) && !value.flow ? intoLines(text, value, block(columnOf(text, value))) : undefined;
}

/** Inserts after the last entry of a map and its comments, which are at least as far indented. */
function intoLines(text: string, map: Map, lines: string): string {
  const column = columnOf(text, map);
  const end = endOf(map);
  let at = text[end - 1] === "\n" ? end : lineEnd(text, end);
  for (let next = at; next < text.length;) {
    const line = text.slice(next, lineEnd(text, next));
    const isComment = /^\s*#/.test(line) && indentOf(line) >= column;
    if (!isComment && line.trim() !== "") break;
    next += line.length;
    if (isComment) at = next;
  }
  return withLines(text, at, lines);
}

/** Replaces an empty map or a missing value. Keeps the rest of the line. */
function inPlaceOf(text: string, value: Node, lines: string): string {
  const [start, end] = value.range!;
  const from = start === end ? start : text.slice(0, start).trimEnd().length;
  const rest = text.slice(0, from) + text.slice(end);
  return withLines(rest, lineEnd(rest, from), lines);
}

/** Inserts lines at the start of a line, or after the last one. */
function withLines(text: string, at: number, lines: string): string {
  const before = text.slice(0, at);
  const start = before === "" || before.endsWith("\n") ? before : before + lineBreakOf(text);
  return start + lines + text.slice(at);
}

/** Whether the only change is the added deployments. */
function isAddition(before: string, after: string, added: Values): boolean {
  const document = parse(after);
  if (document.errors.length > 0) return false;
  const [old, now] = [parse(before), document].map((each) => each.toJS({ maxAliasCount: -1 }) as unknown);
  if (!isObject(old)) return false;
  const there = isObject(old["deployments"]) ? old["deployments"] : {};
  return isEqual(now, { ...old, deployments: { ...there, ...added } });
}

function parse(text: string) {
  return parseDocument(text, { prettyErrors: false, uniqueKeys: false, merge: false, logLevel: "silent" });
}

/** Undefined if the key is missing; a key without a value has a node. */
function valueAt(map: Map, name: string): unknown {
  return map.items.find(({ key }) => isScalar(key) && key.value === name)?.value;
}

function isNothing(value: unknown): value is Node {
  if (isMap(value)) return value.items.length === 0 && !value.anchor;
  return isScalar(value) && value.value === null && !value.anchor && value.range !== undefined;
}

function columnOf(text: string, map: Map): number {
  const [start] = (map.items[0]!.key as Node).range!;
  return indentOf(text.slice(text.lastIndexOf("\n", start - 1) + 1, start));
}

/** The end of the last value in a map, at any depth, without the comments after it. */
function endOf(map: Map): number {
  let node: unknown = map;
  for (;;) {
    const items = (node as { items?: readonly unknown[]; flow?: boolean }).items ?? [];
    const last = items.at(-1);
    const isOpen = last !== undefined && (node === map || !(node as { flow?: boolean }).flow);
    if (!isOpen) return (node as Node).range![1];
    const { key, value } = last as Partial<Pair>;
    node = key === undefined ? last : (value ?? key);
  }
}

/** The offset after the line break of the line at an offset. */
function lineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end === -1 ? text.length : end + 1;
}

function lineBreakOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

function indentOf(line: string): number {
  return /^ */.exec(line)![0].length;
}
