/** The sources of settings: the environment, a stack's configuration, or a provider in the program. */
import { namespace, settingsTable, settingText, type Setting, type SettingName } from "./table";

/** Holds the name of an explicit provider. Its own API key wins over the environment's. */
export const providerNameKey = `${namespace}:provider`;

/** Where settings come from, and how messages refer to them. */
export interface SettingsSource {
  /** Name of the explicit provider, if there is one. */
  readonly provider?: string;
  /** Whether the environment's value of a setting wins over this source's. */
  environmentWins(name: SettingName): boolean;
  setting(name: SettingName): string;
  missing(name: SettingName): string;
}

export function settingsSource(configured: ((key: string) => unknown) | undefined): SettingsSource {
  if (configured === undefined) return fromEnvironment;
  const provider = settingText(configured(providerNameKey));
  return provider === undefined ? fromStack() : fromProvider(provider);
}

const variable = (name: SettingName) => settingsTable[name].env;

const fromEnvironment: SettingsSource = {
  environmentWins: () => true,
  setting: variable,
  missing: (name) => `${variable(name)} is not set`,
};

/** @param stack its name, if a command reads its configuration without the engine: there the environment wins */
export function fromStack(stack?: string): SettingsSource {
  const key = (name: string) => `${namespace}:${name}`;
  const [its, there] = stack === undefined ? ["", ""] : [` of stack ${stack}`, `--stack ${stack} `];
  return {
    environmentWins: (name) => stack !== undefined || name === "apiKey",
    setting: (name) => key(name) + its,
    missing: (name) => {
      const { env, secret }: Setting = settingsTable[name];
      const command = `run \`pulumi config set ${there}${secret ? "--secret " : ""}${key(name)}\``;
      const what = stack === undefined ? `${key(name)} is not set` : `stack ${stack} has no ${key(name)}`;
      // The environment wins for the key, also in runs that do not read the program.
      return secret ? `${what}: set ${env}, or ${command}` : `${what}: ${command}, or set ${env}`;
    },
  };
}

function fromProvider(provider: string): SettingsSource {
  const setting = (name: string) => `\`${name}\` of the provider "${provider}"`;
  return {
    provider,
    environmentWins: () => false,
    setting,
    missing: (name) => `${setting(name)} is not set: pass it, or set ${variable(name)}`,
  };
}
