/** The sources of settings: the environment, a stack's configuration, or a provider in the program. */
import { namespace, settingNamed, settingsTable, settingText, type Setting } from "./table";

/** Holds the name of an explicit provider. Its own API key wins over the environment's. */
export const providerNameKey = `${namespace}:provider`;

/** Where settings come from, and how messages refer to them. */
export interface SettingsSource {
  /** Name of the explicit provider, if there is one. */
  readonly provider?: string;
  /** Whether the environment's value of a setting wins over this source's. */
  environmentWins(name: string): boolean;
  setting(name: string, setting: Setting): string;
  variable(name: string, setting: Setting): string;
  missing(name: string, setting: Setting): string;
  /** What to check if the service refuses the API key. */
  keyAdvice(isFromEnvironment: boolean): string;
}

export function settingsSource(configured: ((key: string) => unknown) | undefined): SettingsSource {
  if (configured === undefined) return fromEnvironment;
  const provider = settingText(configured(providerNameKey));
  return provider === undefined ? fromStack : fromProvider(provider);
}

const keyVariable = settingsTable.apiKey.env;

/** Without the program, the engine takes settings from the state. */
const asOfLastUp =
  "`refresh` and `destroy` use the value of the last `pulumi up`: to use a new one, add `--run-program`";

export function vendorKeyText(variable: string): string {
  return `Check ${variable}, which is used because ${settingNamed("apiKey")} is not set.`;
}

const fromEnvironment: SettingsSource = {
  environmentWins: () => true,
  setting: (_, { env }) => env,
  variable: (_, { env }) => env,
  missing: (_, { env }) => `${env} is not set`,
  keyAdvice: () => `Check ${keyVariable}.`,
};

const fromStack: SettingsSource = {
  environmentWins: (name) => name === "apiKey",
  setting: (name) => `${namespace}:${name}`,
  variable: (name, { env }) => `${namespace}:${name} (${env})`,
  missing: (name, { env, secret }) => {
    const [key, flag] = [`${namespace}:${name}`, secret ? "--secret " : ""];
    return `${key} is not set: run \`pulumi config set ${flag}${key} …\`, or set ${env}`;
  },
  keyAdvice: (isFromEnvironment) =>
    isFromEnvironment
      ? `Check ${keyVariable}, which wins over \`${namespace}:apiKey\`.`
      : `Check \`${namespace}:apiKey\`. ${asOfLastUp}, or set ${keyVariable}.`,
};

function fromProvider(provider: string): SettingsSource {
  const setting = (name: string) => `\`${name}\` of the provider "${provider}"`;
  return {
    provider,
    environmentWins: () => false,
    setting,
    variable: (name, { env }) => `${setting(name)} (${env})`,
    missing: (name, { env }) => `${setting(name)} is not set: pass it, or set ${env}`,
    keyAdvice: (isFromEnvironment) =>
      isFromEnvironment
        ? `Check ${keyVariable}: the provider "${provider}" has no \`apiKey\` of its own.`
        : `Check ${setting("apiKey")}. ${asOfLastUp}.`,
  };
}

/**
 * The configuration of a stack, read by a command without the engine.
 *
 * @param stack its name
 */
export function stackOutsideRun(stack: string): SettingsSource {
  const key = (name: string) => `${namespace}:${name}`;
  return {
    environmentWins: () => true,
    setting: (name) => `${key(name)} of stack ${stack}`,
    variable: (_, { env }) => env,
    missing: (name, { env, secret }) => {
      const set = `pulumi config set --stack ${stack} ${secret ? "--secret " : ""}${key(name)} …`;
      return `stack ${stack} has no ${key(name)}: run \`${set}\`, or set ${env}`;
    },
    keyAdvice: (isFromEnvironment) =>
      isFromEnvironment
        ? `Check ${keyVariable}, which wins over \`${key("apiKey")}\` of stack ${stack}.`
        : `Check \`${key("apiKey")}\` of stack ${stack}.`,
  };
}
