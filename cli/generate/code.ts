/** Prints TypeScript expressions: an object or a list on one line if it fits, else with one line per member. */
import { escapeUnprintable, markUnprintable } from "../../provider/text/sanitize";

export interface Notes {
  /** The lines above, without `//`. */
  readonly before: readonly string[];
  /** The comment at the end of the same line. */
  readonly beside: readonly string[];
  /** The lines below, at the end of a block. */
  readonly after: readonly string[];
}

/** A member of an object, with its key, or an item of a list. */
export interface Item {
  readonly key?: string;
  readonly value: Code;
  readonly notes?: Partial<Notes> | undefined;
}
export type Member = Item & { readonly key: string };

/** An expression that is never broken into lines, or an object or a list. */
export type Code = string | { readonly members: readonly Member[] } | { readonly items: readonly Item[] };

export const widest = 80;
export const step = "  ";

/**
 * @param indent the indentation of the line that the code begins on
 * @param before the columns already used on that line
 */
export function print(code: Code, indent: string, before: number): string {
  if (typeof code === "string") return code;
  const flat = flatten(code);
  return flat !== undefined && before + flat.length < widest ? flat : expand(code, indent);
}

/** Prints with one line per member. */
export function expand(code: Exclude<Code, string>, indent: string): string {
  const inner = indent + step;
  const [open, all, close] = partsOf(code);
  const lines = all.flatMap(({ key, value, notes }) => {
    const start = inner + prefix(key);
    return withNotes(notes, inner, `${start}${print(value, inner, start.length)},`);
  });
  return [open, ...lines, indent + close].join("\n");
}

/** `const chat = new Deployment("chat", { … });`, or of another type. */
export function newResource(
  variable: string,
  name: string,
  args: readonly Member[],
  options: readonly Member[],
  type = "Deployment",
): string {
  const head = `const ${variable} = new ${type}(`;
  const first = `${head}${quote(name)}, `;
  if (options.length === 0 && first.length < widest) return `${first}${expand({ members: args }, "")});`;
  const all = [quote(name), expand({ members: args }, step)];
  if (options.length > 0) all.push(print({ members: options }, step, step.length));
  return [head, ...all.map((each) => `${step}${each},`), ");"].join("\n");
}

function withNotes(
  { before = [], beside = [], after = [] }: Partial<Notes> = {},
  indent: string,
  text: string,
): string[] {
  const isOneLine = !text.includes("\n");
  const above = [...before, ...(isOneLine ? [] : beside)];
  const ending = isOneLine && beside.length > 0 ? ` ${comment(beside.join(" "))}` : "";
  const lines = (texts: readonly string[]) => texts.map((line) => indent + comment(line));
  return [...lines(above), text + ending, ...lines(after)];
}

export function comment(text: string): string {
  // A line break would end the comment, and the rest would become code.
  return text === "" ? "//" : `// ${markUnprintable(text)}`;
}

/** The code on one line; undefined if it has comments. */
function flatten(code: Code): string | undefined {
  if (typeof code === "string") return code;
  const [open, all, close] = partsOf(code);
  const texts = all.map(({ key, value, notes }) => {
    const text = notes === undefined ? flatten(value) : undefined;
    return text && prefix(key) + text;
  });
  if (texts.includes(undefined)) return undefined;
  const space = open === "{" && texts.length > 0 ? " " : "";
  return `${open}${space}${texts.join(", ")}${space}${close}`;
}

function partsOf(code: Exclude<Code, string>): [open: string, all: readonly Item[], close: string] {
  return "members" in code ? ["{", code.members, "}"] : ["[", code.items, "]"];
}

function prefix(key: string | undefined): string {
  return key === undefined ? "" : `${keyText(key)}: `;
}

export function keyText(key: string): string {
  // Any other form of this key would set the object's prototype.
  if (key === "__proto__") return `[${quote(key)}]`;
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
