import type { EmulatorOptions } from "../emulator";
import { dialects } from "../rules/dialects";

/** A mistake in the command line, or a problem of this machine. The message says everything its reader needs. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** Flags by name. */
export interface Given {
  readonly flags: Readonly<Record<string, string>>;
  readonly switches: ReadonlySet<string>;
}

export function optionsOf({ flags, switches }: Given): EmulatorOptions {
  const port = integer("port", flags["port"] ?? "8787");
  if (port > 65535) throw new CommandError(`--port must be at most 65535, not ${port}`);
  const { dialect = "standard", latency } = flags;
  return {
    port,
    host: flags["host"],
    dialect: isDialect(dialect) ? dialect : undefined,
    apps: switches.has("apps"),
    cloud: switches.has("cloud"),
    apiKey: flags["api-key"],
    tenantId: flags["tenant-id"],
    accessToken: flags["access-token"],
    state: flags["state"],
    ...(latency === undefined ? {} : { latency: milliseconds("latency", latency) }),
  };
}

/** The command line has already refused any other. */
function isDialect(name: string): name is keyof typeof dialects {
  return Object.hasOwn(dialects, name);
}

function integer(flag: string, given: string): number {
  if (!/^\d{1,9}$/.test(given))
    throw new CommandError(`--${flag} must be a whole number, not ${JSON.stringify(given)}`);
  return Number(given);
}

function milliseconds(flag: string, given: string): number {
  const [, amount, unit] = /^(\d{1,6})(ms|s)$/.exec(given) ?? [];
  if (amount === undefined)
    throw new CommandError(`--${flag} must be a time such as 20ms or 2s, not ${JSON.stringify(given)}`);
  return Number(amount) * (unit === "s" ? 1000 : 1);
}
