/** Runs a command line. Never throws: every failure becomes a message and an exit code. */
import { SourceError } from "../provider/agent/source-error";
import { sentencesText } from "../provider/errors/advice";
import { ControlPlaneError, messageOf } from "../provider/errors";
import { longestText, sanitize } from "../provider/text/sanitize";
import { didYouMeanText } from "../schema/wording";
import { version } from "../provider/files/version";
import { exitCodes, FileError, program, UsageError, type Command, type Io } from "./command";
import { helpOf, parseArguments } from "./parse-arguments";

type Commands = Readonly<Record<string, Command>>;

export async function run(words: readonly string[], io: Io, given?: Commands): Promise<number> {
  const [name, ...rest] = words;
  let commands: Commands = {};
  try {
    if (name === "--version" || name === "-V") {
      io.stdout.write(`${version()}\n`);
      return exitCodes.done;
    }
    if (name === undefined) {
      io.stderr.write(helpOf("overview").text);
      return exitCodes.usage;
    }
    // Imported here, because it fails if a dependency is not installed.
    commands = given ?? (await import("./commands/index.js")).commands;
    if (name === "--help" || name === "-h" || name === "help") return showHelp(rest[0], io, commands);
    const command = commandNamed(name, commands);
    const args = parseArguments(helpOf(name), rest);
    if (args.switches.has("help")) return showHelp(name, io, commands);
    return (await command(args, io)) ?? exitCodes.done;
  } catch (error) {
    return reportError(error, name, io, commands);
  }
}

function showHelp(name: string | undefined, { stdout }: Io, commands: Commands): number {
  const isAboutAll = name === undefined || name.startsWith("-");
  if (!isAboutAll) commandNamed(name, commands);
  stdout.write(helpOf(isAboutAll ? "overview" : name).text);
  return exitCodes.done;
}

function commandNamed(name: string, commands: Commands): Command {
  if (Object.hasOwn(commands, name)) return commands[name]!;
  const kind = name.startsWith("-") ? "flag" : "command";
  const suggestion = kind === "command" ? didYouMeanText(name, Object.keys(commands)) : "";
  throw new UsageError(`unknown ${kind} ${JSON.stringify(name)}${suggestion}`);
}

function reportError(error: unknown, name = "", io: Io, commands: Commands): number {
  const message = sanitize(messageOf(error), longestText);
  const say = (text: string) => io.stderr.write(`${program}: ${text}\n`);
  if (error instanceof UsageError || error instanceof SourceError) {
    const command = Object.hasOwn(commands, name) ? `${name} ` : "";
    say(message);
    io.stderr.write(`run \`npx pulumi-deployment-service ${command}--help\` for usage\n`);
    return exitCodes.usage;
  }
  say(error instanceof ControlPlaneError ? sanitize(sentencesText(error), longestText) : message);
  return error instanceof FileError ? exitCodes.problems : exitCodes.failed;
}
