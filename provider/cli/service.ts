/** The service that a command asks. */
import { systemClock } from "../clock";
import { connect, type Connection } from "../control-plane/connect";
import type { Observed } from "../deployment/service";
import { waitingText, type Limits } from "../limits";
import { sanitize } from "../text/sanitize";
import { readSettings } from "../settings/reading";
import { stackOutsideRun } from "../settings/places";
import { settingsTable, settingText, type SettingName } from "../settings/table";
import { UsageError, type Arguments, type Io } from "./command";
import { configurationOf, selectedConfiguration, type StackConfiguration } from "./stack";

/**
 * The connection that the environment and a stack describe. The environment wins; where it has the address and the key, a
 * stack is asked for only if the call names one. Throws a `UsageError` for what is missing or wrong.
 */
export async function connectionOf({ flags }: Pick<Arguments, "flags">, io: Io): Promise<Connection> {
  const { env, stderr } = io;
  const configuration = await configurationFor(flags["stack"], io);
  const { settings, problems = [] } =
    configuration === undefined
      ? readSettings(undefined, env)
      : readSettings(configuration.valueOf, env, stackOutsideRun(configuration.stack));
  if (settings === undefined) {
    const messages = problems.map(({ message }) => message).join("; ");
    const isShort = configuration === undefined && !hasAddressAndKey(io);
    throw new UsageError(isShort ? `${messages}. ${stackAdvice}` : messages);
  }
  if (configuration !== undefined) stderr.write(`asking ${originOf(settings.baseUrl, configuration, io)}\n`);
  const tell: Limits["tell"] = (...said) => stderr.write(`${sanitize(waitingText(...said))}\n`);
  return connect(settings, systemClock, tell, true);
}

/** The deployment of exactly this name; throws where there is none. */
export async function deploymentNamed(name: string, client: Connection["client"]): Promise<Observed> {
  const { deployment } = await client.find(name);
  if (deployment === undefined) throw new Error(`the service has no deployment named "${name}"`);
  return deployment;
}

const stackAdvice = "In a project's folder, --stack NAME takes them from the configuration of a stack";

async function configurationFor(stack: string | undefined, io: Io): Promise<StackConfiguration | undefined> {
  if (stack !== undefined) return configurationOf(stack, io);
  return hasAddressAndKey(io) ? undefined : selectedConfiguration(io);
}

/** Whether the environment alone says which service is asked. */
export function hasAddressAndKey(io: Io): boolean {
  return isInEnvironment("baseUrl", io) && isInEnvironment("apiKey", io);
}

function isInEnvironment(name: SettingName, { env }: Io): boolean {
  return settingText(env[settingsTable[name].env]) !== undefined;
}

/** With several stacks and a variable that was set for another one, it is easily the wrong service. */
function originOf(baseUrl: string, { stack }: StackConfiguration, io: Io): string {
  const from = isInEnvironment("baseUrl", io)
    ? `${settingsTable.baseUrl.env}, which wins over stack ${stack}`
    : `stack ${stack}`;
  return `${sanitize(baseUrl)} (${from})`;
}
