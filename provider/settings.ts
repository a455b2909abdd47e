/** The settings of a connection as they are read: which source wins, and all that is wrong. */
import { dialectAt, type Dialect } from "./dialects";
import { proxiesIn, type Proxies } from "./proxies";
import { placeOf } from "./settings-place";
import { emptyProblem, namespace, problemIn, settingsTable, textOf, type Setting } from "./settings-table";
import { unknownValue } from "./values";

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

export interface SettingsProblem {
  readonly setting: string;
  readonly message: string;
}

export type SettingsResult =
  | { readonly settings: Settings; readonly problems?: undefined }
  | { readonly settings?: undefined; readonly problems: readonly SettingsProblem[] };

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

function isProtected(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "https:" || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
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
