/** Prints TypeScript expressions as Prettier would format them. */

import { displayWidth } from "../../text/display-width";
import { escapeUnprintable, markUnprintable } from "../../text/sanitize";

export interface Notes {
  /** The lines above, without `//`. */
  readonly before: string[];
  /** The comment at the end of the same line. */
  readonly beside: string[];
  /** The lines below, at the end of a block. */
  readonly after: string[];
}

export interface Member {
  readonly key: string;
  readonly value: Code;
  readonly notes?: Notes | undefined;
}

export interface Item {
  readonly value: Code;
  readonly notes?: Notes | undefined;
}

export type Code =
  | {
      readonly kind: "atom";
      readonly text: string;
      /** Whether a long line can break after the colon before the atom. */
      readonly breaks: "before" | "never";
    }
  | {
      readonly kind: "call";
      readonly callee: string;
      readonly args: readonly Code[];
      /** What follows the bracket: ` as Word`. */
      readonly cast?: string;
    }
  | { readonly kind: "object"; readonly members: readonly Member[] }
  | { readonly kind: "array"; readonly items: readonly Item[] };

export function atom(text: string, breaks: "before" | "never" = "before"): Code {
  return { kind: "atom", text, breaks };
}

export function call(callee: string, ...args: readonly Code[]): Code {
  return { kind: "call", callee, args };
}

export const widest = 80;
export const step = "  ";

/**
 * @param indent the indentation of the line that the code begins on
 * @param before the columns already used on that line
 * @param after the columns to leave free after the code
 */
export function print(code: Code, indent: string, before: number, after: number): string {
  const flat = flatten(code);
  if (flat !== undefined && before + displayWidth(flat) + after <= widest) return flat;
  switch (code.kind) {
    case "atom":
      return code.text;
    case "object":
      return expand(code.members, indent);
    case "array":
      return expandArray(code.items, indent);
    case "call": {
      const inner = indent + step;
      const args = code.args.map((arg) => `${inner}${print(arg, inner, inner.length, 1)},\n`);
      return `${code.callee}(\n${args.join("")}${indent})${code.cast ?? ""}`;
    }
  }
}

/** Prints an object with one line per member. */
export function expand(members: readonly Member[], indent: string): string {
  const inner = indent + step;
  const lines = members.flatMap(({ key, value, notes }) => {
    const name = `${inner}${keyText(key)}:`;
    return withNotes(notes, inner, memberText(name, keyText(key).length, value, inner));
  });
  return ["{", ...lines, `${indent}}`].join("\n");
}

/** `const chat = new Deployment("chat", { … });` */
export function newResource(
  variable: string,
  name: string,
  args: readonly Member[],
  options: readonly Member[],
): string {
  const head = `const ${variable} = new Deployment(`;
  const first = `${head}${quote(name)}, {`;
  if (options.length === 0 && first.length <= widest) return `${first.slice(0, -1)}${expand(args, "")});`;
  const all = [quote(name), expand(args, step)];
  if (options.length > 0) all.push(print({ kind: "object", members: options }, step, step.length, 1));
  return [head, ...all.map((each) => `${step}${each},`), ");"].join("\n");
}

function memberText(name: string, keyLength: number, value: Code, indent: string): string {
  const flat = flatten(value);
  const fits = flat !== undefined && name.length + 1 + displayWidth(flat) + 1 <= widest;
  const isMoved = !fits && flat !== undefined && keyLength > step.length && breaksBefore(value);
  if (isMoved) return `${name}\n${indent}${step}${flat},`;
  return `${name} ${print(value, indent, name.length + 1, 1)},`;
}

/** Breaking inside a call with one short argument would gain nothing. */
function breaksBefore(value: Code): boolean {
  if (value.kind === "atom") return value.breaks === "before";
  if (value.kind !== "call" || value.args.length !== 1 || value.cast !== undefined) return false;
  const [only] = value.args;
  return only?.kind === "atom" && only.text.length <= widest / 4;
}

function expandArray(items: readonly Item[], indent: string): string {
  const inner = indent + step;
  const lines = items.flatMap(({ value, notes }) =>
    withNotes(notes, inner, `${inner}${print(value, inner, inner.length, 1)},`),
  );
  return ["[", ...lines, `${indent}]`].join("\n");
}

function withNotes(notes: Notes | undefined, indent: string, text: string): string[] {
  if (notes === undefined) return [text];
  const isOneLine = !text.includes("\n");
  const above = [...notes.before, ...(isOneLine ? [] : notes.beside)];
  const beside = isOneLine && notes.beside.length > 0 ? ` ${comment(notes.beside.join(" "))}` : "";
  return [
    ...above.map((line) => indent + comment(line)),
    text + beside,
    ...notes.after.map((line) => indent + comment(line)),
  ];
}

export function comment(text: string): string {
  // A line break would end the comment, and the rest would become code.
  return text === "" ? "//" : `// ${markUnprintable(text)}`;
}

/** The code on one line; undefined if that is not possible. */
function flatten(code: Code): string | undefined {
  switch (code.kind) {
    case "atom":
      return code.text;
    case "call": {
      const args = code.args.map(flatten);
      return args.includes(undefined) ? undefined : `${code.callee}(${args.join(", ")})${code.cast ?? ""}`;
    }
    case "object": {
      if (code.members.length === 0) return "{}";
      const members = code.members.map(({ key, value, notes }) => {
        const text = notes === undefined ? flatten(value) : undefined;
        return text && `${keyText(key)}: ${text}`;
      });
      return members.includes(undefined) ? undefined : `{ ${members.join(", ")} }`;
    }
    case "array": {
      if (isTable(code.items)) return undefined;
      const items = code.items.map(({ value, notes }) => (notes === undefined ? flatten(value) : undefined));
      return items.includes(undefined) ? undefined : `[${items.join(", ")}]`;
    }
  }
}

/** Lists of larger objects or lists are easier to read with one item per line. */
function isTable(items: readonly Item[]): boolean {
  const [first, ...rest] = items.map(({ value }) => value);
  if (first === undefined || rest.length === 0) return false;
  return [first, ...rest].every((value) => value.kind === first.kind && sizeOf(value) > 1);
}

function sizeOf(code: Code): number {
  if (code.kind === "object") return code.members.length;
  return code.kind === "array" ? code.items.length : 0;
}

export function keyText(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quote(key);
}

/** A string literal, in the quotes that need fewer escapes. */
export function quote(text: string): string {
  const inner = escapeUnprintable(JSON.stringify(text).slice(1, -1));
  const doubles = text.split('"').length;
  const singles = text.split("'").length;
  if (doubles <= singles) return `"${inner}"`;
  return `'${inner.replace(/\\"/g, '"').replace(/'/g, "\\'")}'`;
}
