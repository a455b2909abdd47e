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
  /** What to check if the service refuses the API key. */
  keyAdvice(isFromEnvironment: boolean): string;
}

export function placeOf(configured: ((key: string) => unknown) | undefined): Place {
  if (configured === undefined) return inEnvironment;
  const provider = textOf(configured(providerNameKey));
  return provider === undefined ? inStack : inProvider(provider);
}

const keyVariable = settingsTable.apiKey.env;

/** Without the program, the engine takes settings from the state. */
const asOfLastUp =
  "`refresh` and `destroy` use it as it was at the last `pulumi up`: to use a new one, add `--run-program`";

const inEnvironment: Place = {
  setting: (_, { env }) => env,
  variable: (_, { env }) => env,
  missing: (_, { env }) => `${env} is not set`,
  keyAdvice: () => `Check ${keyVariable}.`,
};

const inStack: Place = {
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

function inProvider(provider: string): Place {
  const setting = (name: string) => `\`${name}\` of the provider "${provider}"`;
  return {
    provider,
    setting,
    variable: (name, { env }) => `${setting(name)} (${env})`,
    missing: (name, { env }) => `${setting(name)} is not set: pass it, or set ${env}`,
    keyAdvice: (isFromEnvironment) =>
      isFromEnvironment
        ? `Check ${keyVariable}: the provider "${provider}" has no \`apiKey\` of its own.`
        : `Check ${setting("apiKey")}. ${asOfLastUp}.`,
  };
}
