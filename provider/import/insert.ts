/** Puts deployments into the text of a manifest. What is there stays byte for byte: comments, order, quotes, spaces. */
import { isMap, isScalar, Lexer, parseDocument, type Node, type Pair, type YAMLMap } from "yaml";
import { isEqual, isObject, type Values } from "../values";
import { escapeUnprintable } from "../text/sanitize";
import { indented, type Entry } from "./manifest";

type Map = YAMLMap<unknown, unknown>;

/** The text with the name of the dialect behind its version; undefined where there is one already, or no place for it. */
export function withDialect(text: string, dialect: string): string | undefined {
  const root = parse(text).contents;
  if (!isMap(root) || root.has("dialect")) return undefined;
  const changed = root.flow
    ? intoFlow(text, root, [{ key: "dialect", declaration: dialect }])
    : behindVersion(text, root, `dialect: ${dialect}`);
  return changed !== undefined && isAddition(text, changed, (old) => ({ ...old, dialect }))
    ? changed
    : undefined;
}

function behindVersion(text: string, root: Map, line: string): string | undefined {
  const version = root.items.find(({ key }) => isScalar(key) && key.value === "version")?.value;
  if (!isScalar(version)) return undefined;
  const lineBreak = lineBreakOf(text);
  const at = lineEnd(text, version.range![1]);
  const before = text.slice(0, at);
  const start = before.endsWith("\n") ? before : before + lineBreak;
  return start + indented(line, columnOf(text, root)) + lineBreak + text.slice(at);
}

/** The text with the entries in it; undefined where it is written in a way that leaves no place for them. */
export function withEntries(text: string, entries: readonly Entry[]): string | undefined {
  const root = parse(text).contents;
  if (!isMap(root)) return undefined;
  const changed = insert(text, root, entries, lineBreakOf(text));
  return changed !== undefined && isAddition(text, changed, (old) => withAll(old, entries))
    ? changed
    : undefined;
}

function withAll(old: Values, entries: readonly Entry[]): Values {
  const there = isObject(old["deployments"]) ? old["deployments"] : {};
  const added = Object.fromEntries(entries.map(({ key, declaration }) => [key, declaration]));
  return { ...old, deployments: { ...there, ...added } };
}

function lineBreakOf(text: string): string {
  return /\r\n/.test(text) ? "\r\n" : "\n";
}

function insert(text: string, root: Map, entries: readonly Entry[], lineBreak: string): string | undefined {
  const pair = root.items.find(({ key }) => isScalar(key) && key.value === "deployments");
  const value = pair?.value;
  const block = (columns: number) =>
    indented(entries.map((entry) => entry.text).join(""), columns).replaceAll("\n", lineBreak);
  // Within brackets there is no place for remarks, such as the names of secrets that are still to be given.
  const isInFlow = root.flow || (isMap(value) && value.items.length > 0 && value.flow);
  if (isInFlow && entries.some((entry) => hasRemark(entry.text))) return undefined;
  if (root.flow) {
    if (isMap(value)) return intoFlow(text, value, entries);
    const deployments = Object.fromEntries(entries.map(({ key, declaration }) => [key, declaration]));
    return pair ? undefined : intoFlow(text, root, [{ key: "deployments", declaration: deployments }]);
  }
  if (pair === undefined) {
    return intoLines(text, root, `deployments:${lineBreak}${block(2)}`, lineBreak);
  }
  if (isMap(value) && value.items.length > 0) {
    if (value.flow) return intoFlow(text, value, entries);
    return intoLines(text, value, block(columnOf(text, value)), lineBreak);
  }
  return isNothing(value) ? inPlaceOf(text, value, block(2), lineBreak) : undefined;
}

/** Behind the last entry of a map and the comments that belong to it: those that are indented as far. */
function intoLines(text: string, map: Map, lines: string, lineBreak: string): string {
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
  const before = text.slice(0, at);
  const start = before === "" || before.endsWith("\n") ? before : before + lineBreak;
  return start + lines + text.slice(at);
}

/** In place of an empty map or of nothing, behind whatever else stands in the line. */
function inPlaceOf(text: string, value: Node, lines: string, lineBreak: string): string {
  const [start, end] = value.range!;
  const from = text.slice(0, start).trimEnd().length;
  const isEmpty = start === end;
  const rest = (isEmpty ? text.slice(0, start) : text.slice(0, from)) + text.slice(end);
  const at = lineEnd(rest, isEmpty ? start : from);
  const before = rest.slice(0, at);
  return (before.endsWith("\n") ? before : before + lineBreak) + lines + rest.slice(at);
}

/** Within brackets everything is written as JSON, which is understood there whatever stands around it. */
function intoFlow(
  text: string,
  map: Map,
  entries: readonly { readonly key: string; readonly declaration: unknown }[],
): string {
  const close = map.range![1] - 1;
  const last = map.items.at(-1);
  const end = last === undefined ? map.range![0] + 1 : endOf(map);
  const between = text.slice(end, close).replace(/#.*/g, (comment) => " ".repeat(comment.length));
  const comma = between.indexOf(",");
  const at = comma === -1 ? end : end + comma + 1;
  const isOnLines = text.slice(map.range![0], close).includes("\n");
  const gap = isOnLines && last ? `\n${" ".repeat(indentOf(lineAround(text, startOf(last))))}` : " ";
  const texts = entries.map(
    ({ key, declaration }) => `${JSON.stringify(key)}: ${escapeUnprintable(JSON.stringify(declaration))}`,
  );
  const added = texts.map((entry) => `${gap}${entry}`).join(",");
  const before = text.slice(0, at) + (last !== undefined && comma === -1 ? "," : "");
  return `${before}${added}${comma === -1 ? "" : ","}${last ? "" : " "}${text.slice(at)}`;
}

function hasRemark(text: string): boolean {
  // The sign that announces a text stands before each that is not in quotes.
  const tokens = [...new Lexer().lex(text)];
  return tokens.some((token, index) => token.startsWith("#") && tokens[index - 1] !== "\u001f");
}

/** Nothing is lost and nothing else is new. */
function isAddition(before: string, after: string, expected: (old: Values) => Values): boolean {
  const document = parse(after);
  if (document.errors.length > 0) return false;
  const [old, now] = [parse(before), document].map((each) => each.toJS({ maxAliasCount: -1 }) as unknown);
  if (!isObject(old)) return false;
  return isEqual(now, expected(old));
}

function parse(text: string) {
  return parseDocument(text, { prettyErrors: false, uniqueKeys: false, merge: false, logLevel: "silent" });
}

function isNothing(value: unknown): value is Node {
  if (isMap(value)) return value.items.length === 0 && !value.anchor;
  return isScalar(value) && value.value === null && !value.anchor && value.range !== undefined;
}

function columnOf(text: string, map: Map): number {
  return indentOf(lineAround(text, startOf(map.items[0]!)));
}

function startOf({ key }: Pair): number {
  return (key as Node).range![0];
}

/** Where the last value in a map ends, however deep, without the comments behind it. */
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

/** Behind the line break of the line that an offset is in. */
function lineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end === -1 ? text.length : end + 1;
}

function lineAround(text: string, offset: number): string {
  return text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
}

function indentOf(line: string): number {
  return /^ */.exec(line)![0].length;
}
