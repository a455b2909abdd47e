/** Parses a command line. A command accepts what its help says. */
import { parseArgs } from "node:util";
import { messageOf } from "../provider/errors";
import { didYouMeanText } from "../schema/wording";
import { UsageError, type ParsedArguments } from "./command";
import { packageText } from "./files/package-texts";

export interface Help {
  readonly text: string;
  /** The names of the positional arguments: `FILE`, `[FILE]` if it is optional, `[NAME…]` for any number. */
  readonly positionals: readonly string[];
  /** By name: the placeholder for the value, `TEXT` or `text|json`; empty for a switch. */
  readonly flags: ReadonlyMap<string, string>;
}

/** @param command its name, for which there is a file */
export function helpOf(command: string): Help {
  const text = packageText(`cli/help/${command}.txt`);
  const [, positionals = ""] = /^Usage: npx \S+ \S+ (.*?) ?\[flags\]$/m.exec(text) ?? [];
  const flags = text.matchAll(/^ {2}(?:-\w,| {3}) --([\w-]+)(?: (\S+))?(?= {2}|$)/gm);
  return {
    text,
    positionals: positionals.split(" ").filter(Boolean),
    flags: new Map(Array.from(flags, ([, name, value = ""]) => [name!, value])),
  };
}

export function parseArguments(help: Help, words: readonly string[]): ParsedArguments {
  const { values, positionals } = parse(words, help.flags);
  const flags: Record<string, string> = {};
  const switches = new Set<string>();
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === "string") flags[name] = checkedValue(name, value, help.flags.get(name)!);
    else switches.add(name);
  }
  // --help needs no other arguments.
  if (!switches.has("help")) checkPositionals(help, positionals);
  return { positionals, flags, switches };
}

function parse(words: readonly string[], flags: Help["flags"]) {
  const options = Array.from(flags, ([name, value]) => {
    const type = value === "" ? ("boolean" as const) : ("string" as const);
    return [name, name === "help" ? { type, short: "h" } : { type }] as const;
  });
  try {
    return parseArgs({ args: [...words], options: Object.fromEntries(options), allowPositionals: true });
  } catch (error) {
    const [message = ""] = messageOf(error).split(". To specify a positional argument ");
    const [, unknown] = /^Unknown option '(--[^']*)'/.exec(message) ?? [];
    const known = Array.from(flags.keys(), (name) => `--${name}`);
    const suggestion = unknown === undefined ? "" : didYouMeanText(unknown, known);
    throw new UsageError(message.replaceAll("\n", " ") + suggestion);
  }
}

function checkedValue(name: string, text: string, placeholder: string): string {
  if (text === "") throw new UsageError(`--${name} needs a value: --${name} ${placeholder}`);
  const choices = placeholder.split("|");
  if (choices.length > 1 && !choices.includes(text))
    throw new UsageError(`--${name} must be one of ${choices.join(", ")}${didYouMeanText(text, choices)}`);
  return text;
}

function checkPositionals({ positionals }: Help, given: readonly string[]): void {
  const missing = positionals.slice(given.length).filter((name) => !name.startsWith("["));
  if (missing.length > 0) throw new UsageError(`${missing.join(" ")} is missing`);
  if (positionals.at(-1)?.endsWith("…]")) return;
  const extra = given[positionals.length];
  if (extra !== undefined) throw new UsageError(`unexpected argument ${JSON.stringify(extra)}`);
}
