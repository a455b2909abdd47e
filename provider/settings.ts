/** The settings of a connection: their keys, their environment variables, what they may hold, which source wins. */
import { dialectAt, dialects, type Dialect } from "./dialects";
import { parseDuration } from "./duration";
import { proxiesIn, type Proxies } from "./proxies";

export const namespace = "deployment-service";

export interface Settings {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly tenantId: string | undefined;
  readonly dialect: Dialect;
  readonly maxConcurrency: number;
  /** Milliseconds. */
  readonly requestTimeout: number;
  /** Milliseconds. */
  readonly pollInterval: number;
  readonly serviceReposPath: string | undefined;
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
    doc: "API key. Here the environment wins, so that a rotated key also works for refresh and destroy.",
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
    doc: `The service's words and rules: ${Object.keys(dialects).join(" or ")}.`,
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
    doc: "Wait before the first look at a rollout; grows to 15s.",
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

/** Set on a provider that the program made itself: then its own key wins over the environment's. */
export const ownKeyMarker = `${namespace}:ownKey`;

export interface SettingsProblem {
  readonly setting: string;
  readonly message: string;
}

export type SettingsResult =
  | { readonly settings: Settings; readonly problems?: undefined }
  | { readonly settings?: undefined; readonly problems: readonly SettingsProblem[] };

/**
 * @param configured looks a key up in the configuration of the stack or of the provider: `deployment-service:baseUrl`;
 *   undefined outside of a stack, where there is only the environment
 * @param environment the process's environment
 */
export function readSettings(
  configured: ((key: string) => unknown) | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): SettingsResult {
  const problems: SettingsProblem[] = [];
  const hasOwnKey = textOf(configured?.(ownKeyMarker)) === "true";
  const isInStack = configured !== undefined;
  const values = Object.fromEntries(
    Object.entries(settingsTable).map(([name, setting]: [string, Setting]) => {
      const key = `${namespace}:${name}`;
      const fromConfig = { text: textOf(configured?.(key)), from: key };
      const variable = isInStack ? `${key} (${setting.env})` : setting.env;
      const fromEnvironment = { text: textOf(environment[setting.env]), from: variable };
      const environmentFirst = name === "apiKey" && !hasOwnKey;
      const order = environmentFirst ? [fromEnvironment, fromConfig] : [fromConfig, fromEnvironment];
      const { text, from } = order.find((candidate) => candidate.text !== undefined) ?? {
        text: setting.default,
        from: key,
      };
      if (text === undefined) {
        if (setting.required) problems.push({ setting: key, message: missing(key, setting, isInStack) });
        return [name, undefined];
      }
      const parsed = setting.parse(text);
      if ("value" in parsed) return [name, parsed.value];
      problems.push({ setting: key, message: `${from} ${parsed.problem}` });
      return [name, undefined];
    }),
  ) as unknown as Settings & { allowHttp?: boolean };

  if (values.baseUrl !== undefined && !values.allowHttp && !isProtected(values.baseUrl)) {
    const [address, allowance] = isInStack
      ? [`${namespace}:baseUrl`, `${namespace}:allowHttp`]
      : [settingsTable.baseUrl.env, settingsTable.allowHttp.env];
    problems.push({
      setting: `${namespace}:baseUrl`,
      message: `${address} must be https, since the API key would travel in clear: use https, or set ${allowance} to true`,
    });
  }
  const proxies = proxiesIn(environment);
  if (proxies.problem !== undefined) problems.push({ setting: proxies.variable, message: proxies.problem });
  if (problems.length > 0 || proxies.proxies === undefined) return { problems };
  return {
    settings: { ...values, dialect: dialectAt(values.dialect, values.baseUrl), proxies: proxies.proxies },
  };
}

function missing(key: string, { env, secret }: Setting, isInStack: boolean): string {
  if (!isInStack) return `${env} is not set`;
  const flag = secret ? "--secret " : "";
  return `${key} is not set: run \`pulumi config set ${flag}${key} …\`, or set ${env}`;
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
    return { problem: `must not carry a user or a password: the key belongs into ${namespace}:apiKey` };
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
