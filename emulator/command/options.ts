import type { DialectName } from "../dialects";
import type { EmulatorOptions } from "../emulator";
import { CommandError } from "./error";

/** What the command line says, by the names of its flags. The dialect is one of those that there are. */
export interface Given {
  readonly flags: Readonly<Record<string, string>>;
  readonly switches: ReadonlySet<string>;
}

export function optionsOf({ flags, switches }: Given): EmulatorOptions {
  const polls = flags["rollout-polls"];
  const seconds = flags["rollout-seconds"];
  if (polls !== undefined && seconds !== undefined)
    throw new CommandError("--rollout-polls and --rollout-seconds exclude each other");
  const path = flags["service-repos-path"];
  if (path !== undefined && !path.startsWith("/"))
    throw new CommandError(`--service-repos-path must start with "/", not ${JSON.stringify(path)}`);
  const port = integer("port", flags["port"] ?? "8787");
  if (port > 65535) throw new CommandError(`--port must be at most 65535, not ${port}`);
  return {
    port,
    host: flags["host"],
    dialect: (flags["dialect"] ?? "standard") as DialectName,
    apps: switches.has("apps"),
    lenient: switches.has("lenient"),
    apiKey: flags["api-key"],
    tenantId: flags["tenant-id"],
    state: flags["state"],
    serviceReposPath: path,
    ...(flags["latency"] === undefined ? {} : { latency: milliseconds("latency", flags["latency"]) }),
    ...(polls === undefined ? {} : { rollout: { polls: integer("rollout-polls", polls) } }),
    ...(seconds === undefined ? {} : { rollout: { afterMs: 1000 * integer("rollout-seconds", seconds) } }),
  };
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
