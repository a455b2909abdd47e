/** The settings of a connection: their keys, their environment variables, and what they may hold. */
import { dialects } from "./dialects";
import { parseDuration } from "./duration";
import { unknownKey } from "../schema/problems";
import { sanitize } from "./text/sanitize";

export const namespace = "deployment-service";

type Parsed = { readonly value: unknown } | { readonly problem: string };

export interface Setting {
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
    doc: "Wait before the first poll of a rollout, at most 1h; grows to 15s.",
    default: "2s",
    parse: parseInterval,
  },
  serviceReposPath: {
    env: "DEPLOYMENT_SERVICE_SERVICE_REPOS_PATH",
    doc: "Path of the service's own repository listing, with `{integration_id}`.",
    parse: parseReposPath,
  },
} satisfies Record<string, Setting>;

export type SettingName = keyof typeof settingsTable;

/** Of the name of an unknown key, as many characters are shown. */
const longestName = 100;

/** A warning for a key that is misspelt, or of another version of this package. */
export function unknownSetting(name: string): string {
  const shown = sanitize(name, longestName);
  return `the setting ${namespace}:${shown} is ignored: ${unknownKey(shown, Object.keys(settingsTable))}`;
}

/** A setting in advice for all who read it: only a stack has its key, only an environment its variable. */
export function settingNamed(name: SettingName): string {
  return `\`${namespace}:${name}\` (${settingsTable[name].env})`;
}

/** What is wrong with the text that was given for a setting, for a sentence that begins with its name. */
export function problemIn(name: SettingName, text: string): string | undefined {
  const setting: Setting = settingsTable[name];
  const given = textOf(text);
  if (given === undefined) return emptyProblem(setting);
  const parsed = setting.parse(given);
  return "problem" in parsed ? parsed.problem : undefined;
}

/** Where the environment filled it in, the key of one service would be sent to the address of another. */
export function emptyProblem({ env }: Setting): string {
  return `must not be empty: pass a value, or leave it out to take ${env}`;
}

export function textOf(value: unknown): string | undefined {
  if (typeof value === "boolean" || typeof value === "number") return String(value);
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" ? undefined : text;
}

/** Short names of addresses, of all dialects; whether it is one of the dialect's own is known with the dialect. */
const regions = Object.values(dialects).flatMap((dialect) => Object.keys(dialect.regions));

function parseBaseUrl(text: string): Parsed {
  if (regions.includes(text)) return { value: text };
  if (!URL.canParse(text)) return { problem: "must be an address such as https://deployments.example.com" };
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") return { problem: "must begin with https://" };
  if (url.username !== "" || url.password !== "") {
    return { problem: "must not carry a user or a password: the API key is a setting of its own" };
  }
  if (url.search !== "" || url.hash !== "" || /[?#]/.test(text)) {
    return { problem: "must not carry a query or a fragment" };
  }
  // People paste the address of the API with its version.
  return { value: url.origin + url.pathname.replace(/\/+$/, "").replace(/\/v2$/, "") };
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

/** In milliseconds. */
const longestInterval = 60 * 60_000;

function parseTime(text: string): Parsed {
  const value = parseDuration(text);
  return value === undefined || value === 0
    ? { problem: "must be a duration such as 200ms, 2s, 5m or 1h" }
    : { value };
}

/** A first poll that comes after all time limits would be none. */
function parseInterval(text: string): Parsed {
  const parsed = parseTime(text);
  const isTooLong = "value" in parsed && Number(parsed.value) > longestInterval;
  return isTooLong ? { problem: "must be at most 1h" } : parsed;
}

function parseReposPath(text: string): Parsed {
  const isPath = text.startsWith("/") && text.includes("{integration_id}");
  return isPath
    ? { value: text }
    : { problem: "must be a path that begins with / and has {integration_id} in it" };
}
