/** The settings of a connection: their keys, environment variables and valid values. */
import { dialects } from "../dialects";
import { parseDuration } from "../time/duration";
import { unknownKeyMessage } from "../../schema/wording";
import { sanitize } from "../text/sanitize";
import { hasPlaceholder, isPlaceholder, unreplacedText } from "../../schema/placeholders";

export const namespace = "deployment-service";

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

type Parsed = { readonly value: unknown } | { readonly problem: string };

export interface Setting {
  readonly env: string;
  readonly doc: string;
  readonly default?: string;
  readonly required?: true;
  readonly secret?: true;
  readonly parse: (text: string) => Parsed;
}

function matching(pattern: RegExp, problem: string): Setting["parse"] {
  return (text) => (pattern.test(text) ? { value: text } : { problem });
}

const parseHeader = matching(/^[\x21-\x7e]+$/, "must be printable ASCII without spaces or line ends");

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
    parse: (text) =>
      /^(true|false)$/.test(text) ? { value: text === "true" } : { problem: "must be true or false" },
  },
  apiKey: {
    env: "DEPLOYMENT_SERVICE_API_KEY",
    doc:
      "API key. The environment overrides the stack's configuration, so that a rotated key also works for refresh and " +
      "destroy. A key that the program passes to a provider overrides both.",
    required: true,
    secret: true,
    parse: parseHeader,
  },
  tenantId: {
    env: "DEPLOYMENT_SERVICE_TENANT_ID",
    doc: "Tenant id. If set, it is sent with every request.",
    parse: parseHeader,
  },
  dialect: {
    env: "DEPLOYMENT_SERVICE_DIALECT",
    doc: `Names and rules of the service: ${Object.keys(dialects).join(" or ")}.`,
    default: "standard",
    parse: parseDialect,
  },
  maxConcurrency: {
    env: "DEPLOYMENT_SERVICE_MAX_CONCURRENCY",
    doc: "Maximum number of requests in flight.",
    default: "8",
    parse: (text) =>
      /^0*([1-9]\d{0,2}|1000)$/.test(text)
        ? { value: Number(text) }
        : { problem: "must be a whole number from 1 to 1000" },
  },
  requestTimeout: {
    env: "DEPLOYMENT_SERVICE_REQUEST_TIMEOUT",
    doc: "Time limit for one request.",
    default: "30s",
    parse: parseTime,
  },
  pollInterval: {
    env: "DEPLOYMENT_SERVICE_POLL_INTERVAL",
    doc: "Delay before the first poll of a rollout, at most 1h. It grows to 15s.",
    default: "2s",
    parse: (text) => parseTime(text, longestInterval),
  },
  dashboard: {
    env: "DEPLOYMENT_SERVICE_DASHBOARD",
    doc: "Address of the service's dashboard, if it cannot be derived from `baseUrl`: in your own cloud.",
    parse: parseAddress,
  },
  serviceReposPath: {
    env: "DEPLOYMENT_SERVICE_SERVICE_REPOS_PATH",
    doc: "Path of the service's own repository listing. It contains `{integration_id}`.",
    parse: matching(
      /^\/.*\{integration_id\}/,
      "must be a path that begins with / and contains {integration_id}",
    ),
  },
} satisfies Record<string, Setting>;

export type SettingName = keyof typeof settingsTable;

/** The name of an unknown key is truncated to this many characters. */
const longestName = 100;

/** A warning for a key that is misspelled, or belongs to another version of this package. */
export function unknownSettingMessage(name: string): string {
  const shown = sanitize(name, longestName);
  return `the setting ${namespace}:${shown} is ignored: ${unknownKeyMessage(shown, Object.keys(settingsTable))}`;
}

/** A warning for a key that was set without `--secret`. The emulator's usual one is in sample projects, and protects nothing. */
export function plainKeyMessage(stack: string, plainKey: unknown): string | undefined {
  if (plainKey === undefined || plainKey === "emulator-key") return undefined;
  const key = `${namespace}:apiKey`;
  return (
    `${key} is in plain text in the configuration of stack ${stack}: run \`pulumi config set --secret ${key} --stack ${stack}\` ` +
    "with the key on standard input, and rotate the key"
  );
}

/** Names a setting in advice by both its configuration key and its environment variable. */
export function settingNamed(name: SettingName): string {
  return `\`${namespace}:${name}\` (${settingsTable[name].env})`;
}

/** Never quotes the text. */
export function parseSetting(name: SettingName, text: string): Parsed {
  const setting: Setting = settingsTable[name];
  const isUnreplaced = setting.secret ? isPlaceholder(text) : hasPlaceholder(text);
  return isUnreplaced ? { problem: unreplacedText } : setting.parse(text);
}

/** Falling back to the environment could send one service's key to another. */
export function emptySettingMessage({ env }: Setting): string {
  return `must not be empty: pass a value, or omit it to use ${env}`;
}

/** The trimmed text of a value. Undefined if it is empty, or neither a string, a number nor a boolean. */
export function settingText(value: unknown): string | undefined {
  if (typeof value === "boolean" || typeof value === "number") return String(value);
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" ? undefined : text;
}

/** The first of these variables that is set. */
export function firstSet(
  names: readonly string[],
  variables: EnvironmentVariables,
): { readonly text: string; readonly from: string } | undefined {
  const from = names.find((name) => settingText(variables[name]) !== undefined);
  return from === undefined ? undefined : { text: settingText(variables[from])!, from };
}

/** Regions of all dialects. `readSettings` checks that the region belongs to the configured dialect. */
const regions = Object.values(dialects).flatMap((dialect) => Object.keys(dialect.regions));

function parseBaseUrl(text: string): Parsed {
  return regions.includes(text) ? { value: text } : parseAddress(text);
}

function parseAddress(text: string): { readonly value: string } | { readonly problem: string } {
  if (!URL.canParse(text)) return { problem: "must be an address such as https://deployments.example.com" };
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") return { problem: "must begin with https://" };
  if (url.username !== "" || url.password !== "") {
    return { problem: "must not contain a user or a password: the API key has its own setting" };
  }
  if (url.search !== "" || url.hash !== "" || /[?#]/.test(text)) {
    return { problem: "must not contain a query or a fragment" };
  }
  // People paste the address of the API with its version.
  return { value: url.origin + url.pathname.replace(/(?<!\/)\/+$/, "").replace(/\/v2$/, "") };
}

function parseDialect(text: string): Parsed {
  const value = Object.hasOwn(dialects, text) ? dialects[text] : undefined;
  return value ? { value } : { problem: `must be one of ${Object.keys(dialects).join(", ")}` };
}

/** A longer delay would exceed every time limit, so that nothing would be polled; milliseconds. */
const longestInterval = 60 * 60_000;

function parseTime(text: string, most = Infinity): Parsed {
  const value = parseDuration(text);
  if (!value) return { problem: "must be a duration such as 200ms, 2s, 5m or 1h" };
  return value > most ? { problem: "must be at most 1h" } : { value };
}
