import { parseArgs } from "node:util";
import { controlRouteLines } from "./control-routes";
import type { EmulatorOptions } from "./emulator";
import { langsmith, lenientLangsmith } from "./rules/langsmith";
import type { Rules } from "./rules/rules";
import { standard } from "./rules/standard";

/** What the service speaks, by the word on the command line; `lenient` is for programs of other people. */
const dialects: Readonly<Record<string, { readonly strict: Rules; readonly lenient: Rules }>> = {
  standard: { strict: standard, lenient: { ...standard, unknownKeys: "ignore" } },
  langsmith: { strict: langsmith, lenient: lenientLangsmith },
};

export const help = `Usage: npm run emulator -- [flags]

Starts a control plane to try things on. It keeps its state in memory only.

  --port N               port to listen on, 0 for any free one (8787)
  --api-key KEY          key that callers must send (emulator-key)
  --tenant-id UUID       tenant that callers must name; not asked for without this flag
  --dialect NAME         ${Object.keys(dialects).join(" or ")} (standard)
  --lenient              ignore unknown keys, and ask for no more than older and newer clients send
  --rollout-looks N      answers that show a revision unfinished before it is ready (1)
  --rollout-seconds N    seconds that a rollout takes, instead of looks
  --service-repos-path P path of the second repository listing, with {integration_id}
  --help                 this text

Controls, with the same API key:

${controlRouteLines.map((line) => `  ${line}`).join("\n")}
`;

/** A mistake in the command line: the message is all that its author needs. */
export class UsageError extends Error {}

export type Command = { help: true } | { help: false; dialect: string; options: EmulatorOptions };

export function readFlags(args: readonly string[]): Command {
  const flags = parse(args);
  if (flags.help === true) return { help: true };
  const looks = flags["rollout-looks"];
  const seconds = flags["rollout-seconds"];
  if (looks !== undefined && seconds !== undefined)
    throw new UsageError("--rollout-looks and --rollout-seconds exclude each other.");
  const path = flags["service-repos-path"];
  if (path !== undefined && !path.startsWith("/"))
    throw new UsageError(`--service-repos-path must start with "/", not "${path}".`);
  const dialect = flags.dialect ?? "standard";
  const rules = Object.hasOwn(dialects, dialect) ? dialects[dialect] : undefined;
  if (rules === undefined)
    throw new UsageError(`--dialect must be ${Object.keys(dialects).join(" or ")}, not "${dialect}".`);
  const port = integer("port", flags.port ?? "8787");
  if (port > 65535) throw new UsageError(`--port must be at most 65535, not ${port}.`);
  return {
    help: false,
    dialect,
    options: {
      port,
      rules: flags.lenient === true ? rules.lenient : rules.strict,
      apiKey: notEmpty("api-key", flags["api-key"]),
      tenantId: notEmpty("tenant-id", flags["tenant-id"]),
      serviceReposPath: path,
      ...(looks === undefined ? {} : { rollout: { looks: integer("rollout-looks", looks) } }),
      ...(seconds === undefined ? {} : { rollout: { afterMs: 1000 * integer("rollout-seconds", seconds) } }),
    },
  };
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: text,
        dialect: text,
        lenient: { type: "boolean" },
        "api-key": text,
        "tenant-id": text,
        "rollout-looks": text,
        "rollout-seconds": text,
        "service-repos-path": text,
        help: { type: "boolean", short: "h" },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function integer(flag: string, given: string): number {
  if (!/^\d+$/.test(given)) throw new UsageError(`--${flag} must be a whole number, not "${given}".`);
  return Number(given);
}

function notEmpty(flag: string, given: string | undefined): string | undefined {
  if (given === "") throw new UsageError(`--${flag} must not be empty.`);
  return given;
}
