/** Where settings are given: in an environment, a stack, or a provider of the program. */
import { namespace, settingsTable, textOf, type Setting } from "./settings-table";

/** Holds the name of a provider that the program made itself: then its own key wins over the environment's. */
export const providerNameKey = `${namespace}:provider`;

/** Where settings are given, in the words of who gives them. */
export interface Place {
  /** The provider that the program made itself, if it is one's. */
  readonly provider?: string;
  setting(name: string, setting: Setting): string;
  variable(name: string, setting: Setting): string;
  missing(name: string, setting: Setting): string;
  /** Where the API key was found. */
  key(isFromEnvironment: boolean): string;
}

export function placeOf(configured: ((key: string) => unknown) | undefined): Place {
  if (configured === undefined) return inEnvironment;
  const provider = textOf(configured(providerNameKey));
  return provider === undefined ? inStack : inProvider(provider);
}

const keyVariable = settingsTable.apiKey.env;

const inEnvironment: Place = {
  setting: (_, { env }) => env,
  variable: (_, { env }) => env,
  missing: (_, { env }) => `${env} is not set`,
  key: () => keyVariable,
};

const inStack: Place = {
  setting: (name) => `${namespace}:${name}`,
  variable: (name, { env }) => `${namespace}:${name} (${env})`,
  missing: (name, { env, secret }) => {
    const [key, flag] = [`${namespace}:${name}`, secret ? "--secret " : ""];
    return `${key} is not set: run \`pulumi config set ${flag}${key} …\`, or set ${env}`;
  },
  key: (isFromEnvironment) =>
    isFromEnvironment
      ? `${keyVariable}, which wins over \`${namespace}:apiKey\``
      : `\`${namespace}:apiKey\`, or ${keyVariable}, which wins`,
};

function inProvider(provider: string): Place {
  const setting = (name: string) => `\`${name}\` of the provider "${provider}"`;
  return {
    provider,
    setting,
    variable: (name, { env }) => `${setting(name)} (${env})`,
    missing: (name, { env }) => `${setting(name)} is not set: pass it, or set ${env}`,
    key: (isFromEnvironment) =>
      isFromEnvironment
        ? `${keyVariable}, since the provider "${provider}" has no \`apiKey\` of its own`
        : setting("apiKey"),
  };
}
