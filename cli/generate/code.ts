/** Prints TypeScript expressions: an object or a list on one line if it fits, else with one line per member. */
import { escapeUnprintable, markUnprintable } from "../../provider/text/sanitize";

export interface Member {
  readonly key: string;
  readonly value: Code;
}

/** An expression that is never broken into lines, or an object or a list. */
export type Code = string | ObjectCode | { readonly items: readonly Code[] };

export interface ObjectCode {
  readonly members: readonly Member[];
  /** The lines of a comment after the members, without `//`. Only if the object is printed with one line per member. */
  readonly comment?: readonly string[];
}

export const widest = 80;
export const step = "  ";

/**
 * @param indent the indentation of the line that the code begins on
 * @param before the columns already used on that line
 */
export function print(code: Code, indent: string, before: number): string {
  if (typeof code === "string") return code;
  const flat = flatten(code);
  return before + flat.length < widest ? flat : expand(code, indent);
}

/** Prints with one line per member. */
export function expand(code: Exclude<Code, string>, indent: string): string {
  const inner = indent + step;
  const line = (start: string, value: Code) => `${start}${print(value, inner, start.length)},`;
  const lines =
    "items" in code
      ? code.items.map((item) => line(inner, item))
      : [
          ...code.members.map(({ key, value }) => line(`${inner}${keyText(key)}: `, value)),
          ...(code.comment ?? []).map((text) => inner + comment(text)),
        ];
  const [open, close] = "items" in code ? "[]" : "{}";
  return [open, ...lines, indent + close].join("\n");
}

/** `const chat = new Deployment("chat", { … });`, or of another type. */
export function newResource(
  variable: string,
  name: string,
  args: ObjectCode,
  options: readonly Member[],
  type = "Deployment",
): string {
  const head = `const ${variable} = new ${type}(`;
  const first = `${head}${quote(name)}, `;
  if (options.length === 0 && first.length < widest) return `${first}${expand(args, "")});`;
  const all = [quote(name), expand(args, step)];
  if (options.length > 0) all.push(print({ members: options }, step, step.length));
  return [head, ...all.map((each) => `${step}${each},`), ");"].join("\n");
}

export function comment(text: string): string {
  // A line break would end the comment, and the rest would become code.
  return text === "" ? "//" : `// ${markUnprintable(text)}`;
}

function flatten(code: Code): string {
  if (typeof code === "string") return code;
  if ("items" in code) return `[${code.items.map(flatten).join(", ")}]`;
  const members = code.members.map(({ key, value }) => `${keyText(key)}: ${flatten(value)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

export function keyText(key: string): string {
  // Any other form of this key would set the object's prototype.
  if (key === "__proto__") return `[${quote(key)}]`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quote(key);
}

/** A string literal. */
export function quote(text: string): string {
  return escapeUnprintable(JSON.stringify(text));
}
