/** Translates the comments of an import that become YAML when they are uncommented, so that they become code in a program. */
import { parse } from "yaml";
import { isObject } from "../../../schema/tree";
import type { Comment } from "../comments";
import { keyText, quote } from "./code";

/** The lines of a block of secrets in a program, to be uncommented one by one: each stays on its line, whatever its length. */
export const opening = "secrets: {";
export const closing = "},";
/** @param key of the configuration; `namespace:key` if it is not the project's */
export function secretLine(name: string, key: string, note?: string): string {
  return `  ${keyText(name)}: ${configCode(key)},${note === undefined ? "" : ` // ${note}`}`;
}

/** The block `secrets:` in code, and closed by a line more. Other comments stay as they are. */
export function* inCode(comments: Iterable<Comment>): Generator<Comment> {
  let first: Comment | undefined;
  let last: Comment | undefined;
  for (const comment of comments) {
    const before = first ?? last;
    const follows = comment.isAlone && comment.line === (before?.line ?? -1) + 1;
    const code = follows ? entryCode(comment.text) : undefined;
    if (first !== undefined) yield code === undefined ? first : { ...first, text: opening };
    if (last !== undefined && code === undefined) yield { ...last, text: closing };
    first = comment.isAlone && comment.text === "secrets:" ? comment : undefined;
    last = code === undefined ? undefined : comment;
    if (code !== undefined) yield { ...comment, text: code };
    else if (first === undefined) yield { ...comment, text: comment.text.replace(toWrite, codeToWrite) };
  }
  if (first !== undefined) yield first;
  if (last !== undefined) yield { ...last, text: closing };
}

/** Whether a comment contains code that needs the import of `pulumi`. It needs no variable, which would be unused before. */
export function needsPulumi({ text }: Comment): boolean {
  return text.includes("new pulumi.Config(");
}

const toWrite = /(?<=write )\$\{config\.([\w.:-]+)\}(?= here)/;
const codeToWrite = (_: string, key: string) => configCode(key);

/** `  NAME: ${config.key} # command` as a member of an object; undefined for any other line. */
function entryCode(text: string): string | undefined {
  const [, entry = "", note] = /^ {2}(\S+ \S+)(?: # (.*))?$/.exec(text) ?? [];
  const [[name, value] = [], ...others] = Object.entries(parsed(entry));
  const [, key] = /^\$\{config\.([\w.:-]+)\}$/.exec(String(value)) ?? [];
  if (name === undefined || key === undefined || others.length > 0) return undefined;
  return secretLine(name, key, note);
}

function parsed(entry: string): object {
  try {
    const value: unknown = parse(entry, { logLevel: "silent" });
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function configCode(reference: string): string {
  const [key = "", namespace] = reference.split(":").reverse();
  return `new pulumi.Config(${namespace === undefined ? "" : quote(namespace)}).requireSecret(${quote(key)})`;
}
