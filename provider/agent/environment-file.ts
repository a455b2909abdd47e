/** Files of environment variables, read as the service's own command line reads them (python-dotenv). */
import { statSync } from "node:fs";
import { messageOf } from "../errors";
import { decodeUtf8, readSource } from "./open-file";

export interface EnvironmentFile {
  /** By name, in the order of the file; references to other variables are replaced. */
  readonly values: Readonly<Record<string, string>>;
  /** The names of variables without a value. */
  readonly empty: readonly string[];
  /** Lines that set nothing: the name where the line has one, else `line 7`. Never text that may be a part of a value. */
  readonly ignored: readonly string[];
}

/** @param outside the variables of the process, which references fall back to */
export function parseEnvironment(
  text: string,
  outside: Readonly<Record<string, string | undefined>>,
): EnvironmentFile {
  const lines = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  const comment = /\s*#[^\n]*(?:\n|$)/y;
  const assignment =
    /\s*(?:export[^\S\n]+|(?!export[^\S\n]))(?:'([^']+)'|([^='#\s][^=#\s]*))(?:[^\S\n]*(=(?:[^\S\n]+(?=#)|[^\S\n]*("(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'|(?![^\S\n]|["'])[^\n]*))))?(?:[^\S\n]*#[^\n]*)?[^\S\n]*(?:\n|$)/y;
  const other = /\s*([^\n]*)(?:\n|$)/y;
  const space = /\s*/y;
  const escapes: Record<string, string> = { a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };
  const own = <T>(): Record<string, T> => Object.create(null) as Record<string, T>;
  const values = own<string>();
  const ignored: string[] = [];
  let at = 0;
  const next = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(lines);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  const valueOf = (written: string) => {
    const inside = written.slice(1, -1);
    if (written.startsWith('"'))
      return inside.replace(/\\([\\'"abfnrtv])/g, (_, letter: string) => escapes[letter] ?? letter);
    if (written.startsWith("'")) return inside.replace(/\\([\\'])/g, "$1");
    return written.replace(/(?<=\s)#.*/, "").trimEnd();
  };
  const resolve = (_: string, name: string, otherwise = "") =>
    values[name] ?? (Object.hasOwn(outside, name) ? outside[name] : undefined) ?? otherwise;
  // All patterns take linear time: someone may have written a file to make them slow.
  const replaced = (written: string) => {
    const end = written.lastIndexOf("}") + 1;
    return written.slice(0, end).replace(/\$\{([^}:$]*)(?::-([^}]*))?\}/g, resolve) + written.slice(end);
  };
  let line = 1;
  let counted = 0;
  const lineAt = (offset: number) => {
    line += lines.slice(counted, offset).split("\n").length - 1;
    counted = offset;
    return line;
  };
  for (;;) {
    if (next(comment) !== null) continue;
    space.lastIndex = at;
    space.exec(lines);
    const beginning = space.lastIndex;
    if (beginning === lines.length) break;
    const found = next(assignment);
    const rest = found === null ? next(other)![1]! : "";
    const name =
      found === null ? /^(?:export\s+)?'?([\w.-]+)'?\s*=/.exec(rest)?.[1] : (found[1] ?? found[2]!);
    const value = found?.[3] === undefined ? undefined : valueOf(found[4] ?? "");
    // A line of a key that lacks its quotes may look like a name: `MIIEvQ==`.
    const isName = name !== undefined && /^[\w.-]{1,60}$/.test(name) && !/^=*$/.test(value ?? "");
    const isShown = isName || (name !== undefined && /^[A-Z_][A-Z0-9_]{0,60}$/.test(name));
    if (isName && value !== undefined) values[name] = replaced(value);
    else if (isShown && found?.[3] !== undefined) values[name] = "";
    else if (isShown && found === null) ignored.push(name);
    else {
      // The last line of a name counts.
      if (found !== null && name !== undefined) delete values[name];
      ignored.push(`line ${lineAt(beginning)}`);
    }
  }
  const isEmpty = (name: string) => values[name] === "";
  return {
    values: Object.fromEntries(Object.entries(values).filter(([name]) => !isEmpty(name))),
    empty: Object.keys(values).filter(isEmpty),
    ignored,
  };
}

/** Names with a value. None if there is no such file, as in a workflow, or if it is no regular one. */
export function namesIn(file: string): { readonly names: readonly string[]; readonly problem?: string } {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return { names: [] };
  try {
    const { values } = parseEnvironment(decodeUtf8(readSource(file), file), {});
    return { names: Object.keys(values).sort() };
  } catch (error) {
    return { names: [], problem: messageOf(error) };
  }
}
