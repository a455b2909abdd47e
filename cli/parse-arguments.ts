/** Parses a command line into a command's arguments. */
import { parseArgs } from "node:util";
import { messageOf } from "../provider/errors";
import { didYouMeanText } from "../schema/wording";
import { UsageError, type ParsedArguments, type Command, type Flag } from "./command";

/** The flags that every command has. */
export const commonFlags: readonly Flag[] = [
  { name: "json", doc: "Print JSON, for other programs" },
  { name: "help", doc: "Show this help" },
];

export function parseArguments(command: Command, words: readonly string[]): ParsedArguments {
  const known = [...command.flags, ...commonFlags];
  const { values, positionals } = parse(words, known);
  const flags: Record<string, string> = {};
  const switches = new Set<string>();
  for (const flag of known)
    for (const name of namesOf(flag)) {
      const value = values[name];
      if (typeof value === "string") flags[flag.name] = checkedValue(name, value, flag);
      else if (value === true) switches.add(flag.name);
    }
  // --help needs no other arguments.
  if (!switches.has("help")) checkPositionals(command, positionals);
  return { positionals, flags, switches };
}

function parse(words: readonly string[], known: readonly Flag[]) {
  const options = known.flatMap((flag) => namesOf(flag).map((name) => [name, optionFor(flag)] as const));
  try {
    return parseArgs({ args: [...words], options: Object.fromEntries(options), allowPositionals: true });
  } catch (error) {
    const [message] = messageOf(error).split(" To specify a positional argument ");
    throw new UsageError(message!.replaceAll("\n", " "));
  }
}

function namesOf({ name, alias }: Flag): string[] {
  return alias === undefined ? [name] : [name, alias];
}

function optionFor({ name, value }: Flag) {
  return {
    type: value === undefined ? ("boolean" as const) : ("string" as const),
    ...(name === "help" && { short: "h" }),
  };
}

function checkedValue(name: string, text: string, { value, choices }: Flag): string {
  if (text === "") throw new UsageError(`--${name} needs a value: --${name} ${value}`);
  if (choices !== undefined && !choices.includes(text))
    throw new UsageError(`--${name} must be one of ${choices.join(", ")}${didYouMeanText(text, choices)}`);
  return text;
}

function checkPositionals({ positionals }: Command, given: readonly string[]): void {
  const missing = positionals.slice(given.length).filter((name) => !name.startsWith("["));
  if (missing.length > 0) throw new UsageError(`${missing.join(" ")} is missing`);
  if (positionals.at(-1)?.endsWith("…]")) return;
  const extra = given[positionals.length];
  if (extra !== undefined) throw new UsageError(`unexpected argument ${JSON.stringify(extra)}`);
}
