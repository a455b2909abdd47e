/** Runs a command line. Never throws: every failure becomes a message and an exit code. */
import { SourceError } from "../provider/agent/source-error";
import { sentencesText } from "../provider/errors/advice";
import { ControlPlaneError, messageOf } from "../provider/errors";
import { longestText, sanitize } from "../provider/text/sanitize";
import { didYouMeanText } from "../schema/wording";
import { parseArguments } from "./parse-arguments";
import { exitCodes, FileError, UsageError, type Command, type Io } from "./command";
import { commandLine, helpText, overview, program } from "./help";
import { version } from "../provider/files/version";

export async function run(words: readonly string[], io: Io, given?: readonly Command[]): Promise<number> {
  const [name, ...rest] = words;
  let commands: readonly Command[] = [];
  try {
    if (name === "--version" || name === "-V") {
      io.stdout.write(`${version()}\n`);
      return exitCodes.done;
    }
    // Imported here, because it fails if a dependency is not installed.
    commands = given ?? (await import("./commands/index.js")).commands;
    if (name === undefined) {
      io.stderr.write(overview(commands));
      return exitCodes.usage;
    }
    if (name === "--help" || name === "-h" || name === "help") return showHelp(rest[0], io, commands);
    const command = findCommand(name, commands);
    const args = parseArguments(command, rest);
    if (args.switches.has("help")) return showHelp(name, io, commands);
    return await command.run(args, io);
  } catch (error) {
    return reportError(error, name, io, commands);
  }
}

function showHelp(name: string | undefined, { stdout }: Io, commands: readonly Command[]): number {
  stdout.write(
    name === undefined || name.startsWith("-") ? overview(commands) : helpText(findCommand(name, commands)),
  );
  return exitCodes.done;
}

function findCommand(name: string, commands: readonly Command[]): Command {
  const command = commands.find((candidate) => candidate.name === name);
  if (command !== undefined) return command;
  const kind = name.startsWith("-") ? "flag" : "command";
  const accepted = commands.map((candidate) => candidate.name);
  throw new UsageError(
    `unknown ${kind} ${JSON.stringify(name)}${kind === "command" ? didYouMeanText(name, accepted) : ""}`,
  );
}

function reportError(error: unknown, name: string | undefined, io: Io, commands: readonly Command[]): number {
  const message = sanitize(messageOf(error), longestText);
  const say = (text: string) => io.stderr.write(`${program}: ${text}\n`);
  if (error instanceof UsageError || error instanceof SourceError) {
    const command = commands.find((candidate) => candidate.name === name);
    const help = [commandLine, ...(command ? [command.name] : []), "--help"].join(" ");
    say(message);
    io.stderr.write(`run \`${help}\` for usage\n`);
    return exitCodes.usage;
  }
  say(error instanceof ControlPlaneError ? sanitize(sentencesText(error), longestText) : message);
  return error instanceof FileError ? exitCodes.problems : exitCodes.failed;
}
