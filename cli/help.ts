/** Prints the help of a command, and the list of all. */
import { commonFlags } from "./parse-arguments";
import type { Command, Flag } from "./command";

/** What errors begin with. */
export const program = "deployment-service";
/** What can be pasted where the package is installed. */
export const commandLine = "npx pulumi-deployment-service";

export function overview(commands: readonly Command[]): string {
  const list = commands.map(({ name, summary }) => [name, summary] as const);
  return sections([
    `Usage: ${commandLine} COMMAND [flags]`,
    section("Commands", alignColumns(list)),
    section(
      "Flags",
      alignColumns([
        ["-h, --help", "Show this help; after a command, that of the command"],
        ["-V, --version", "Show the version"],
      ]),
    ),
    section(
      "Exit codes",
      alignColumns([
        ["0", "done"],
        ["1", "problems were found: in a file, a connection (doctor) or a preview (summary)"],
        ["2", "wrong usage: an unknown command or flag, a file that does not exist, no address or key"],
        ["3", "the service failed, or something you named does not exist there"],
      ]),
    ),
  ]);
}

export function helpText(command: Command): string {
  const { name, summary, positionals, flags, examples, notes = [] } = command;
  const shown = Object.entries(examples).map(([line, does]) =>
    [...wrap(does, screenWidth - 4).map((each) => `  # ${each}`), `  ${line}`].join("\n"),
  );
  return sections([
    summary,
    `Usage: ${[commandLine, name, ...positionals, "[flags]"].join(" ")}`,
    section("Flags", alignColumns([...flags, ...commonFlags].map((flag) => [flagText(flag), docOf(flag)]))),
    section("Examples", [shown.join("\n\n")]),
    ...notes.map(({ title, lines }) => section(title, lines)),
  ]);
}

function flagText({ name, value }: Flag): string {
  const text = `--${name}${value === undefined ? "" : ` ${value}`}`;
  return name === "help" ? `-h, ${text}` : `    ${text}`;
}

function docOf({ doc, choices, alias }: Flag): string {
  const also = alias === undefined ? "" : ` (also --${alias})`;
  return `${doc}${choices === undefined ? "" : `: ${choices.join(", ")}`}${also}`;
}

function section(title: string, lines: readonly string[]): string {
  return [`${title}:`, ...lines].join("\n");
}

function alignColumns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.flatMap(([left, right]) => {
    const [first, ...rest] = wrap(right, screenWidth - width - 4);
    return [`  ${left.padEnd(width)}  ${first}`, ...rest.map((line) => " ".repeat(width + 4) + line)];
  });
}

/** The width of the narrowest usual terminal. */
const screenWidth = 80;

/** The lines of a text, broken between words. A command in backticks stays on one line, so that it can be copied. */
function wrap(text: string, width: number): readonly string[] {
  return (text.match(/`[^`]*`[^ ]*|[^ ]+/g) ?? [""]).reduce<string[]>((lines, word) => {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) return [...lines, word];
    return [...lines.slice(0, -1), `${last} ${word}`];
  }, []);
}

function sections(parts: readonly string[]): string {
  return `${parts.join("\n\n")}\n`;
}
