/** The settings of a connection: their keys, their environment variables, what they may hold, which source wins. */
import { dialectAt, dialects, type Dialect } from "./dialects";
import { parseDuration } from "./duration";
import { proxiesIn, type Proxies } from "./proxies";
import { unknownValue } from "./values";

export const namespace = "deployment-service";

export interface Settings {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Where the key came from, for a person who has to replace it. */
  readonly apiKeyFrom: string;
  readonly tenantId: string | undefined;
  readonly dialect: Dialect;
  readonly maxConcurrency: number;
  /** Milliseconds. */
  readonly requestTimeout: number;
  /** Milliseconds. */
  readonly pollInterval: number;
  readonly serviceReposPath: string | undefined;
  /** How many lines of a failed revision's log its error ends with; with 0 no log is asked for. */
  readonly logLines: number;
  /** Of the environment. */
  readonly proxies: Proxies;
}

type Parsed = { readonly value: unknown } | { readonly problem: string };

interface Setting {
  readonly env: string;
  readonly doc: string;
  readonly default?: string;
  readonly required?: true;
  readonly secret?: true;
  readonly parse: (text: string) => Parsed;
}

/** One row per setting; documentation and checks read it. */
export const settingsTable = {
  baseUrl: {
    env: "DEPLOYMENT_SERVICE_URL",
    doc: "Address of the service: `https`, or `http` on a loopback address.",
    required: true,
    parse: parseBaseUrl,
  },
  allowHttp: {
    env: "DEPLOYMENT_SERVICE_ALLOW_HTTP",
    doc: "`true` allows `http` to any other address.",
    default: "false",
    parse: parseBoolean,
  },
  apiKey: {
    env: "DEPLOYMENT_SERVICE_API_KEY",
    doc: "API key. The environment wins over the stack's configuration, so that a rotated key also works for refresh and destroy; a key of its own that a program passes to a provider wins over both.",
    required: true,
    secret: true,
    parse: parseHeader,
  },
  tenantId: {
    env: "DEPLOYMENT_SERVICE_TENANT_ID",
    doc: "Tenant, sent with every request when set.",
    parse: parseHeader,
  },
  dialect: {
    env: "DEPLOYMENT_SERVICE_DIALECT",
    doc: `The service's names and rules: ${Object.keys(dialects).join(" or ")}.`,
    default: "standard",
    parse: parseDialect,
  },
  maxConcurrency: {
    env: "DEPLOYMENT_SERVICE_MAX_CONCURRENCY",
    doc: "Requests in flight.",
    default: "8",
    parse: parseCount,
  },
  requestTimeout: {
    env: "DEPLOYMENT_SERVICE_REQUEST_TIMEOUT",
    doc: "Time for one request.",
    default: "30s",
    parse: parseTime,
  },
  pollInterval: {
    env: "DEPLOYMENT_SERVICE_POLL_INTERVAL",
    doc: "Wait before the first poll of a rollout; grows to 15s.",
    default: "2s",
    parse: parseTime,
  },
  serviceReposPath: {
    env: "DEPLOYMENT_SERVICE_SERVICE_REPOS_PATH",
    doc: "Path of the service's own repository listing, with `{integration_id}`.",
    parse: parseReposPath,
  },
} satisfies Record<string, Setting>;

export type SettingName = keyof typeof settingsTable;

/** A setting in advice for all who read it: only a stack has its key, only an environment its variable. */
export function settingNamed(name: SettingName): string {
  return `\`${namespace}:${name}\` (${settingsTable[name].env})`;
}

/** Holds the name of a provider that the program made itself: then its own key wins over the environment's. */
export const providerNameKey = `${namespace}:provider`;

export interface SettingsProblem {
  readonly setting: string;
  readonly message: string;
}

export type SettingsResult =
  | { readonly settings: Settings; readonly problems?: undefined }
  | { readonly settings?: undefined; readonly problems: readonly SettingsProblem[] };

/** What is wrong with the text that was given for a setting, for a sentence that begins with its name. */
export function problemIn(name: SettingName, text: string): string | undefined {
  const setting: Setting = settingsTable[name];
  const given = textOf(text);
  if (given === undefined) return emptyProblem(setting);
  const parsed = setting.parse(given);
  return "problem" in parsed ? parsed.problem : undefined;
}

/** Where the environment filled it in, the key of one service would be sent to the address of another. */
function emptyProblem({ env }: Setting): string {
  return `must not be empty: pass a value, or leave it out to take ${env}`;
}

/**
 * Settings, or all that is wrong; neither where some are not known yet and the others are right.
 *
 * @param configured looks a key up in the configuration of the stack or of the provider: `deployment-service:baseUrl`;
 *   undefined outside of a stack, where there is only the environment
 * @param environment the process's environment
 */
export function readSettings(
  configured: ((key: string) => unknown) | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): SettingsResult {
  const problems: SettingsProblem[] = [];
  const place = placeOf(configured);
  const unknown = new Set<string>();
  let apiKeyFrom = "";
  const values = Object.fromEntries(
    Object.entries(settingsTable).map(([name, setting]: [string, Setting]) => {
      const key = `${namespace}:${name}`;
      const refuse = (message: string) => {
        problems.push({ setting: key, message });
        return [name, undefined];
      };
      const given = configured?.(key);
      if (given === unknownValue) {
        unknown.add(name);
        return [name, undefined];
      }
      const [own, variable] = [textOf(given), textOf(environment[setting.env])];
      // What was given and cannot be read is not replaced by what the environment has.
      if (own === undefined && typeof given === "object" && given !== null)
        return refuse(`${place.setting(name, setting)} must be a text`);
      if (own === undefined && typeof given === "string" && place.provider !== undefined)
        return refuse(`${place.setting(name, setting)} ${emptyProblem(setting)}`);
      const environmentFirst = name === "apiKey" && place.provider === undefined;
      const isFromEnvironment = environmentFirst ? variable !== undefined : own === undefined;
      const text = (isFromEnvironment ? variable : own) ?? setting.default;
      if (text === undefined)
        return setting.required ? refuse(place.missing(name, setting)) : [name, undefined];
      if (name === "apiKey") apiKeyFrom = place.key(isFromEnvironment);
      const parsed = setting.parse(text);
      if ("value" in parsed) return [name, parsed.value];
      const from = isFromEnvironment ? place.variable(name, setting) : place.setting(name, setting);
      return refuse(`${from} ${parsed.problem}`);
    }),
  ) as Settings & { allowHttp?: boolean };

  const mayBeOpen = values.allowHttp === true || unknown.has("allowHttp");
  if (values.baseUrl !== undefined && !mayBeOpen && !isProtected(values.baseUrl)) {
    const [address, allowance] = [
      place.setting("baseUrl", settingsTable.baseUrl),
      place.setting("allowHttp", settingsTable.allowHttp),
    ];
    problems.push({
      setting: `${namespace}:baseUrl`,
      message: `${address} must be https, since the API key would travel in clear: use https, or set ${allowance} to true`,
    });
  }
  const logLines = logLinesIn(environment);
  if (logLines === undefined) problems.push({ setting: logLinesVariable, message: logLinesProblem });
  const proxies = proxiesIn(environment);
  if (proxies.problem !== undefined) problems.push({ setting: proxies.variable, message: proxies.problem });
  const isIncomplete = problems.length > 0 || unknown.size > 0;
  if (isIncomplete || logLines === undefined || proxies.proxies === undefined) return { problems };
  const dialect = dialectAt(values.dialect, values.baseUrl);
  return { settings: { ...values, apiKeyFrom, dialect, logLines, proxies: proxies.proxies } };
}

/** In the environment alone: it is about the screen of whoever runs the stack, and not about the stack. */
const logLinesVariable = "DEPLOYMENT_SERVICE_LOG_LINES";
const usualLogLines = 20;
const mostLogLines = 1_000;
const logLinesProblem = `${logLinesVariable} must be a whole number from 0 to ${mostLogLines}`;

/** Undefined where it is no such number. */
function logLinesIn(environment: Readonly<Record<string, string | undefined>>): number | undefined {
  const text = textOf(environment[logLinesVariable]) ?? String(usualLogLines);
  const count = /^\d+$/.test(text) ? Number(text) : Infinity;
  return count <= mostLogLines ? count : undefined;
}

export interface ServiceRules {
  /** The name of a dialect. */
  readonly name: string;
  readonly baseUrl: string | undefined;
}

/** Whose rules a file is checked by, where nothing is asked: no key is needed, and an address only if there is one. */
export function readServiceRules(
  configured: ((key: string) => unknown) | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): ServiceRules | { readonly problem: string } {
  const textFor = (name: "dialect" | "baseUrl") =>
    textOf(configured?.(`${namespace}:${name}`)) ?? textOf(environment[settingsTable[name].env]);
  const name = textFor("dialect") ?? settingsTable.dialect.default;
  const problem = problemIn("dialect", name);
  if (problem !== undefined) return { problem: `${settingsTable.dialect.env} ${problem}` };
  const baseUrl = textFor("baseUrl");
  const isSound = baseUrl !== undefined && problemIn("baseUrl", baseUrl) === undefined;
  return { name, baseUrl: isSound ? baseUrl : undefined };
}

/** Where settings are given, in the words of who gives them. */
interface Place {
  /** The provider that the program made itself, if it is one's. */
  readonly provider?: string;
  setting(name: string, setting: Setting): string;
  variable(name: string, setting: Setting): string;
  missing(name: string, setting: Setting): string;
  /** Where the API key was found. */
  key(isFromEnvironment: boolean): string;
}

function placeOf(configured: ((key: string) => unknown) | undefined): Place {
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

function textOf(value: unknown): string | undefined {
  if (typeof value === "boolean" || typeof value === "number") return String(value);
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" ? undefined : text;
}

function parseBaseUrl(text: string): Parsed {
  if (!URL.canParse(text)) return { problem: "must be an address such as https://deployments.example.com" };
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") return { problem: "must begin with https://" };
  if (url.username !== "" || url.password !== "") {
    return { problem: "must not carry a user or a password: the API key is a setting of its own" };
  }
  if (url.search !== "" || url.hash !== "" || /[?#]/.test(text)) {
    return { problem: "must not carry a query or a fragment" };
  }
  return { value: url.origin + url.pathname.replace(/\/+$/, "") };
}

function isProtected(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "https:" || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

function parseBoolean(text: string): Parsed {
  return text === "true" || text === "false"
    ? { value: text === "true" }
    : { problem: "must be true or false" };
}

function parseHeader(text: string): Parsed {
  return /^[\x21-\x7e]+$/.test(text)
    ? { value: text }
    : { problem: "must be printable ASCII without spaces" };
}

function parseDialect(text: string): Parsed {
  const value = Object.hasOwn(dialects, text) ? dialects[text] : undefined;
  return value ? { value } : { problem: `must be one of ${Object.keys(dialects).join(", ")}` };
}

function parseCount(text: string): Parsed {
  const value = /^\d+$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= 1000 ? { value } : { problem: "must be a whole number from 1 to 1000" };
}

function parseTime(text: string): Parsed {
  const value = parseDuration(text);
  return value === undefined || value === 0
    ? { problem: "must be a duration such as 200ms, 2s, 5m or 1h" }
    : { value };
}

function parseReposPath(text: string): Parsed {
  const isPath = text.startsWith("/") && text.includes("{integration_id}");
  return isPath
    ? { value: text }
    : { problem: "must be a path that begins with / and has {integration_id} in it" };
}
