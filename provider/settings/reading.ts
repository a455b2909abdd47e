/** Reads the settings of a connection: which source wins, and all problems. */
import { dialectAt, dialects, vendorVariable, vendorVariablesFor, type Dialect } from "../dialects";
import { proxiesIn, type Proxies } from "./proxies";
import { settingsSource, vendorKeyText, type SettingsSource } from "./places";
import {
  emptySettingMessage,
  namespace,
  settingProblem,
  settingsTable,
  settingText,
  type Setting,
  type SettingName,
} from "./table";
import { isEqual, unknownValue } from "../../schema/tree";

export interface Settings {
  readonly baseUrl: string;
  /** Whether unencrypted connections are allowed. */
  readonly allowHttp: boolean;
  readonly apiKey: string;
  /** What to check if the service refuses the key. Depends on where the key came from. */
  readonly apiKeyAdvice: string;
  readonly tenantId: string | undefined;
  /** The variables of the vendor's own tools that a setting was taken from. */
  readonly vendorVariables: readonly string[];
  /** Variables of the environment that have no effect, because the stack's configuration has another value. */
  readonly warnings: readonly string[];
  readonly dialect: Dialect;
  readonly maxConcurrency: number;
  /** Milliseconds. */
  readonly requestTimeout: number;
  /** Milliseconds. */
  readonly pollInterval: number;
  /** Undefined if there is no limit. */
  readonly requestsPerMinute: number | undefined;
  readonly serviceReposPath: string | undefined;
  /** How many lines of a failed revision's log its error ends with. 0 fetches no log. */
  readonly logLines: number;
  /** From the environment. */
  readonly proxies: Proxies;
}

export type SettingsResult =
  | { readonly settings: Settings; readonly problems?: undefined; readonly dialect: Dialect }
  | {
      readonly settings?: undefined;
      readonly problems: readonly { readonly message: string }[];
      /** Its rules hold whatever else is wrong. Undefined if it is invalid or not known yet. */
      readonly dialect: Dialect | undefined;
    };

/**
 * Returns the settings, or all problems. Returns neither if some values are not known yet and the others are valid.
 *
 * @param configured looks up a key such as `deployment-service:baseUrl` in the configuration of the stack or of the provider;
 *   undefined outside of a stack, where only the environment counts
 * @param environment the process's environment
 * @param source which of the two wins, and how messages refer to them
 */
export function readSettings(
  configured: ((key: string) => unknown) | undefined,
  environment: Readonly<Record<string, string | undefined>>,
  source: SettingsSource = settingsSource(configured),
): SettingsResult {
  const problems: { message: string }[] = [];
  const refuse = (message: string) => void problems.push({ message });
  const unknown = new Set<string>();
  let [apiKeyAdvice, address] = ["", ""];
  const vendorVariables: string[] = [];
  const warnings: string[] = [];
  const read = (name: string, setting: Setting): unknown => {
    const given = configured?.(`${namespace}:${name}`);
    if (given === unknownValue) return void unknown.add(name);
    const [own, variable] = [settingText(given), settingText(environment[setting.env])];
    const isOverruled = source.environmentWins(name) && variable !== undefined;
    const isFromEnvironment = isOverruled || own === undefined;
    // An unreadable value is refused, and never replaced by the environment's.
    if (!isOverruled && own === undefined && typeof given === "object" && given !== null)
      return refuse(`${source.setting(name, setting)} must be a string`);
    if (own === undefined && typeof given === "string" && source.provider !== undefined)
      return refuse(`${source.setting(name, setting)} ${emptySettingMessage(setting)}`);
    const text = (isFromEnvironment ? variable : own) ?? setting.default;
    if (text === undefined) return readVendors(name, setting);
    if (name === "apiKey") apiKeyAdvice = source.keyAdvice(isFromEnvironment);
    const from = isFromEnvironment ? source.variable(name, setting) : source.setting(name, setting);
    if (name === "baseUrl") address = from;
    const parsed = setting.parse(text);
    if ("problem" in parsed) return refuse(`${from} ${parsed.problem}`);
    const isIgnored = source.provider === undefined && !isFromEnvironment && variable !== undefined;
    if (isIgnored && !isEqual(setting.parse(variable), parsed))
      warnings.push(`${setting.env} has no effect: ${from} is set to ${text} in the stack's configuration`);
    return parsed.value;
  };
  /** The last fallback. A key for the vendor's own tools is for the vendor's addresses alone. */
  const readVendors = (name: string, setting: Setting): unknown => {
    const missing = (variables: string) =>
      setting.required ? refuse(source.missing(name, { ...setting, env: variables })) : undefined;
    const possible = vendorVariablesFor(name);
    if (possible.length === 0) return missing(setting.env);
    const dialect = valueOf("dialect") as Dialect | undefined;
    const baseUrl = resolveAddress(valueOf("baseUrl") as string | undefined, dialect);
    const isOpen = unknown.has("dialect") || unknown.has("baseUrl");
    if (isOpen && possible.some((each) => settingText(environment[each]) !== undefined))
      return void unknown.add(name);
    const own = dialect && baseUrl && vendorVariable(dialect, baseUrl, name);
    if (!own) return missing(setting.env);
    const text = settingText(environment[own]);
    if (text === undefined) return missing(`${setting.env} or ${own}`);
    vendorVariables.push(own);
    if (name === "apiKey") apiKeyAdvice = vendorKeyText(own);
    const parsed = setting.parse(text);
    return "value" in parsed ? parsed.value : refuse(`${own} ${parsed.problem}`);
  };
  const known = new Map<string, unknown>();
  const valueOf = (name: SettingName): unknown => {
    if (!known.has(name)) known.set(name, read(name, settingsTable[name]));
    return known.get(name);
  };
  const names = Object.keys(settingsTable) as SettingName[];
  const values = Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Pick<
    Settings,
    SettingName
  >;

  const baseUrl = resolveAddress(values.baseUrl, values.dialect);
  if (values.baseUrl !== undefined && values.dialect !== undefined && baseUrl === undefined)
    refuse(`${address} must be an address: dialect ${values.dialect.name} has no region "${values.baseUrl}"`);
  const mayBeOpen = values.allowHttp || unknown.has("allowHttp");
  if (baseUrl !== undefined && !mayBeOpen && !isProtected(baseUrl)) {
    const allowance = source.setting("allowHttp", settingsTable.allowHttp);
    refuse(
      `${address} must be https, because http would send the API key unencrypted: use https, or set ${allowance} to true`,
    );
  }
  const logLines = logLinesIn(environment);
  if (logLines === undefined) refuse(`${logLinesVariable} must be a whole number from 0 to ${mostLogLines}`);
  const { proxies, problem } = proxiesIn(environment);
  if (problem !== undefined) refuse(problem);
  const isKnown = values.dialect !== undefined && baseUrl !== undefined;
  const dialect = isKnown ? dialectAt(values.dialect, baseUrl) : values.dialect;
  const isIncomplete = problems.length > 0 || unknown.size > 0;
  if (isIncomplete || baseUrl === undefined || logLines === undefined || proxies === undefined)
    return { problems, dialect };
  const derived = { baseUrl, apiKeyAdvice, vendorVariables, warnings, dialect, logLines, proxies };
  return { settings: { ...values, ...derived }, dialect };
}

/** A dialect may have short names for the addresses of its public service. */
function resolveAddress(given: string | undefined, dialect: Dialect | undefined): string | undefined {
  if (given === undefined || URL.canParse(given)) return given;
  return dialect !== undefined && Object.hasOwn(dialect.regions, given) ? dialect.regions[given] : undefined;
}

function isProtected(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "https:" || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Only an environment variable: it concerns the user's screen, not the stack. */
const logLinesVariable = "DEPLOYMENT_SERVICE_LOG_LINES";
const usualLogLines = 20;
const mostLogLines = 1_000;

/** Undefined if the variable is not a valid number. */
function logLinesIn(environment: Readonly<Record<string, string | undefined>>): number | undefined {
  const text = settingText(environment[logLinesVariable]) ?? String(usualLogLines);
  const count = /^\d+$/.test(text) ? Number(text) : Infinity;
  return count <= mostLogLines ? count : undefined;
}

export interface ServiceRules {
  /** The name of a dialect. */
  readonly name: string;
  readonly baseUrl: string | undefined;
}

/** Reads which service's rules apply to a file. Sends nothing, so it needs no key, and uses the address only if there is one. */
export function readServiceRules(
  configured: ((key: string) => unknown) | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): ServiceRules | { readonly problem: string } {
  const textFor = (name: "dialect" | "baseUrl") =>
    settingText(configured?.(`${namespace}:${name}`)) ?? settingText(environment[settingsTable[name].env]);
  const name = textFor("dialect") ?? settingsTable.dialect.default;
  const problem = settingProblem("dialect", name);
  if (problem !== undefined) return { problem: `${settingsTable.dialect.env} ${problem}` };
  const baseUrl = resolveAddress(textFor("baseUrl"), dialects[name]);
  const isSound = baseUrl !== undefined && settingProblem("baseUrl", baseUrl) === undefined;
  return { name, baseUrl: isSound ? baseUrl : undefined };
}
