/** Prints TypeScript expressions: an object or a list on one line if it fits, else with one line per member. */
import { escapeUnprintable, markUnprintable } from "../../provider/text/sanitize";

export interface Member {
  readonly key: string;
  readonly value: Code;
}

/** The lines of a comment between members, without `//`. */
export interface Comment {
  readonly comment: readonly string[];
}

/** An expression that is never broken into lines, or an object or a list. */
export type Code =
  string | { readonly members: readonly (Member | Comment)[] } | { readonly items: readonly Code[] };

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
  const line = (start: string, value: Code) => `${start}${print(value, inner, start.length)},`;
  const lines =
    "items" in code
      ? code.items.map((item) => line(inner, item))
      : code.members.flatMap((each) =>
          "comment" in each
            ? each.comment.map((text) => inner + comment(text))
            : line(`${inner}${keyText(each.key)}: `, each.value),
        );
  const [open, close] = "items" in code ? "[]" : "{}";
  return [open, ...lines, indent + close].join("\n");
}

/** `const chat = new Deployment("chat", { … });`, or of another type. */
export function newResource(
  variable: string,
  name: string,
  args: readonly (Member | Comment)[],
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

export function comment(text: string): string {
  // A line break would end the comment, and the rest would become code.
  return text === "" ? "//" : `// ${markUnprintable(text)}`;
}

/** The code on one line; undefined if it has comments. */
function flatten(code: Code): string | undefined {
  if (typeof code === "string") return code;
  const texts =
    "items" in code
      ? code.items.map(flatten)
      : code.members.map((each) => {
          if ("comment" in each) return undefined;
          const text = flatten(each.value);
          return text && `${keyText(each.key)}: ${text}`;
        });
  if (texts.includes(undefined)) return undefined;
  if ("items" in code) return `[${texts.join(", ")}]`;
  return texts.length === 0 ? "{}" : `{ ${texts.join(", ")} }`;
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
