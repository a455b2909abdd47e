/** Parses a command line into a command's arguments. */
import { parseArgs } from "node:util";
import { didYouMeanText } from "../schema/wording";
import { UsageError, type ParsedArguments, type Command, type Flag } from "./command";

/** The flags that every command has. */
export const commonFlags: readonly Flag[] = [
  { name: "json", doc: "Print JSON, for other programs" },
  { name: "help", doc: "Show this help" },
];

export function parseArguments(command: Command, words: readonly string[]): ParsedArguments {
  const known = [...command.flags, ...commonFlags];
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(
      known.flatMap((flag) => namesOf(flag).map((name) => [name, optionFor(flag)])),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const positionals: string[] = [];
  const flags: Record<string, string> = {};
  const switches = new Set<string>();
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const flag = known.find((candidate) => namesOf(candidate).includes(token.name));
    if (flag === undefined) throw unknownFlag(token.rawName, known);
    if (flag.value === undefined) {
      if (token.value !== undefined) throw new UsageError(`${token.rawName} accepts no value`);
      switches.add(flag.name);
    } else {
      if (flag.name in flags) throw new UsageError(`${token.rawName} was given twice`);
      flags[flag.name] = parseFlagValue(flag, token);
    }
  }
  // --help works even if the rest of the command line is wrong.
  if (!switches.has("help")) checkPositionals(command, positionals);
  return { positionals, flags, switches };
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

function unknownFlag(given: string, known: readonly Flag[]): UsageError {
  const accepted = known.flatMap(namesOf).map((name) => `--${name}`);
  return new UsageError(`unknown flag ${JSON.stringify(given)}${didYouMeanText(given, accepted)}`);
}

interface GivenValue {
  readonly rawName: string;
  readonly value?: string | undefined;
  /** Whether it was written `--flag=value`. */
  readonly inlineValue?: boolean | undefined;
}

function parseFlagValue({ value, choices }: Flag, { rawName, value: text, inlineValue }: GivenValue): string {
  if (text === undefined || text === "")
    throw new UsageError(`${rawName} needs a value: ${rawName} ${value}`);
  if (!inlineValue && /^-./.test(text)) {
    throw new UsageError(
      `${rawName} needs a value: ${rawName} ${value}; write a value that begins with "-" as ${rawName}=${value}`,
    );
  }
  if (choices !== undefined && !choices.includes(text)) {
    throw new UsageError(`${rawName} must be one of ${choices.join(", ")}${didYouMeanText(text, choices)}`);
  }
  return text;
}

function checkPositionals({ positionals, listsNames }: Command, given: readonly string[]): void {
  const missing = positionals.slice(given.length).filter((name) => !name.startsWith("["));
  if (missing.length > 0 && !listsNames) throw new UsageError(`${missing.join(" ")} is missing`);
  if (positionals.at(-1)?.endsWith("…]")) return;
  const extra = given[positionals.length];
  if (extra !== undefined) throw new UsageError(`unexpected argument ${JSON.stringify(extra)}`);
}

/**
 * The output format from `--format` and `--json`.
 *
 * @param usual the format without either flag
 */
export function formatIn(
  { flags: { format }, switches }: Pick<ParsedArguments, "flags" | "switches">,
  usual: string,
): string {
  if (!switches.has("json")) return format ?? usual;
  if (format === undefined || format === "json") return "json";
  throw new UsageError(`--json and --format ${format} contradict each other: use only one of them`);
}
