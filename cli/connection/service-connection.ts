/** Connects a command to the service, whose dialect must be the configured one. */
import { systemClock } from "../../provider/time/clock";
import { connect, type Connection } from "../../provider/control-plane/connect";
import type { Observed } from "../../provider/deployment/service";
import { waitingText, type Limits } from "../../provider/time/limits";
import { dialectsWith, type Dialect, type Paths } from "../../provider/dialects";
import { sanitize } from "../../provider/text/sanitize";
import { readSettings } from "../../provider/settings/reading";
import { fromStack } from "../../provider/settings/sources";
import { tokenProblem } from "../../provider/settings/token";
import { namespace, settingNamed, settingsTable, settingText } from "../../provider/settings/table";
import { UsageError, type ParsedArguments, type Io } from "../command";
import { configurationOf, selectedConfiguration, type StackConfiguration } from "./stack-configuration";

export interface CommandConnection extends Connection {
  /** The stack that the user named, or whose settings were used. */
  readonly stack: string | undefined;
}

/**
 * Connects with the settings of the environment and the stack; the environment wins. If it has both address and key, the
 * stack is only read if the user named one. Throws a `UsageError` for missing or invalid settings.
 */
export async function connectionOf(
  { flags }: Pick<ParsedArguments, "flags">,
  io: Io,
): Promise<CommandConnection> {
  const { stderr } = io;
  const { configuration, result } = await readConnection(flags["stack"], io);
  const { settings, problems = [] } = result;
  if (settings === undefined) {
    const messages = problems.map(({ message }) => message).join("; ");
    const isShort = configuration === undefined && !hasAddressAndKey(io);
    throw new UsageError(isShort ? `${messages}. ${stackAdvice}` : messages);
  }
  const problem = await tokenProblem(settings);
  if (problem !== undefined) throw new UsageError(problem);
  const { baseUrl, apiKey, tenantId } = settings.origins;
  // A variable may be left over from another stack, and a login be meant for another service.
  const overridesStack = configuration !== undefined && baseUrl?.text === settingsTable.baseUrl.env;
  const other = overridesStack ? addressOfStack(configuration, settings.baseUrl, io) : undefined;
  const instead =
    other === undefined ? "" : `, instead of ${sanitize(other)} of stack ${configuration!.stack}`;
  if (overridesStack || [baseUrl, apiKey, tenantId].some((origin) => origin?.isVendors))
    stderr.write(
      `connecting to ${sanitize(settings.baseUrl)} (${baseUrl?.text}) with the key of ${apiKey?.text}${instead}\n`,
    );
  const tell: Limits["tell"] = (...said) => stderr.write(`${sanitize(waitingText(...said))}\n`);
  return { ...connect(settings, systemClock, tell, true), stack: configuration?.stack };
}

/**
 * The settings of the environment and the stack, or what is wrong with them. Throws a `UsageError` if the stack cannot be read.
 *
 * @param ms how long the Pulumi CLI may take; without it, there is no limit
 */
export async function readConnection(stack: string | undefined, io: Io, ms?: number) {
  const isComplete = stack === undefined && hasAddressAndKey(io);
  const configuration = isComplete
    ? undefined
    : await (stack === undefined ? selectedConfiguration(io, ms) : configurationOf(stack, io, ms));
  const source = configuration && fromStack(configuration.stack);
  return { configuration, result: readSettings(configuration?.get, io.env, source) };
}

/** The address that a program uses in the stack, if a variable overrides it here; undefined if it is the same. */
export function addressOfStack(
  configuration: StackConfiguration | undefined,
  baseUrl: string | undefined,
  { env }: Io,
): string | undefined {
  if (configuration?.get(`${namespace}:baseUrl`) === undefined) return undefined;
  const others = { ...env, [settingsTable.baseUrl.env]: undefined };
  const address = readSettings(configuration.get, others).rules?.baseUrl;
  return address === baseUrl ? undefined : address;
}

/**
 * Throws if the dialect has no such endpoint.
 * @param what the name of the missing feature: `logs`
 */
export function requirePath(path: keyof Paths, what: string, dialect: Dialect): void {
  if (dialect.paths[path] !== undefined) return;
  const others = dialectsWith(path).join(" or ");
  throw new Error(
    `dialect ${dialect.name} does not support ${what}. If the service uses dialect ${others}, set ${settingNamed("dialect")}`,
  );
}

/** The message for a service that uses another dialect; undefined if it speaks the configured one. */
export function otherDialect(found: readonly Observed[], dialect: Dialect): string | undefined {
  const { spokenDialect: spoken, name = "", source = "" } = found.find((each) => each.spokenDialect) ?? {};
  if (spoken === undefined || spoken === dialect.name) return undefined;
  return (
    `the service uses dialect ${spoken} (the source of ${sanitize(name)} is ${sanitize(source)}), but the configured dialect ` +
    `is ${dialect.name}: set ${settingNamed("dialect")} to ${spoken}`
  );
}

export async function collect<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) for (const item of page) all.push(item);
  return all;
}

const stackAdvice = "In a project's folder, --stack NAME reads them from the stack's configuration";

/** Whether the environment alone is enough to connect. */
function hasAddressAndKey({ env }: Io): boolean {
  const { baseUrl, apiKey } = settingsTable;
  return [baseUrl, apiKey].every((setting) => settingText(env[setting.env]) !== undefined);
}
