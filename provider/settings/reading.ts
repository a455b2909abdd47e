/** Reads the settings of a connection: which source wins, and all problems. */
import { controlPlaneAt, dialectAt, dialects, type Dialect } from "../dialects";
import { proxiesIn, type Proxies } from "./proxies";
import { settingsSource, type SettingsSource } from "./sources";
import {
  emptySettingMessage,
  namespace,
  settingNamed,
  settingProblem,
  settingsTable,
  settingText,
  type EnvironmentVariables,
  type Setting,
  type SettingName,
} from "./table";
import { tracesOf, VendorSettings, type VendorCredential, type VendorValue } from "./vendor";
import { isEqual, unknownValue } from "../../schema/tree";

export interface Settings {
  readonly baseUrl: string;
  /** Whether unencrypted connections are allowed. */
  readonly allowHttp: boolean;
  readonly apiKey: string;
  /** Whether the key is a token, which is replaced by a new one from time to time. */
  readonly isToken: boolean;
  /** What to check if the service refuses the key. Depends on where the key came from. */
  readonly apiKeyAdvice: string;
  readonly tenantId: string | undefined;
  readonly origins: Origins;
  /** Variables of the environment that have no effect, because another source has another value. */
  readonly warnings: readonly string[];
  readonly dialect: Dialect;
  readonly maxConcurrency: number;
  /** Milliseconds. */
  readonly requestTimeout: number;
  /** Milliseconds. */
  readonly pollInterval: number;
  /** Undefined if there is no limit. */
  readonly requestsPerMinute: number | undefined;
  readonly dashboard: string | undefined;
  readonly serviceReposPath: string | undefined;
  /** How many lines of a failed revision's log its error ends with. 0 fetches no log. */
  readonly logLines: number;
  /** From the environment. */
  readonly proxies: Proxies;
}

/** Where each setting that is not a default comes from. */
export type Origins = { readonly [Name in SettingName]?: Origin };

export interface Origin {
  /** The setting, the variable or the profile, as messages show it. */
  readonly text: string;
  /** Whether it belongs to the vendor's own tools. */
  readonly isVendors: boolean;
}

export interface SettingsProblem {
  readonly message: string;
  /** Undefined for variables that are not a setting, such as HTTP_PROXY. */
  readonly setting: SettingName | undefined;
}

export type SettingsResult =
  | { readonly settings: Settings; readonly problems?: undefined; readonly dialect: Dialect }
  | {
      readonly settings?: undefined;
      readonly problems: readonly SettingsProblem[];
      /** Its rules hold whatever else is wrong. Undefined if it is invalid or not known yet. */
      readonly dialect: Dialect | undefined;
    };

type Configured = ((key: string) => unknown) | undefined;

const settingNames = Object.keys(settingsTable) as SettingName[];

/**
 * Returns the settings, or all problems. Returns neither if some values are not known yet and the others are valid.
 *
 * @param configured looks up a key such as `deployment-service:baseUrl` in the configuration of the stack or of the provider;
 *   undefined outside of a stack, where only the environment counts
 * @param environment the process's environment
 * @param source which of the two wins, and how messages refer to them
 * @param now milliseconds since the epoch
 */
export function readSettings(
  configured: Configured,
  environment: EnvironmentVariables,
  source: SettingsSource = settingsSource(configured),
  now = Date.now(),
): SettingsResult {
  const reading = new Reading(configured, environment, source);
  reading.resolveAddress();
  const credential = reading.addVendors(now);
  const { values, origins, unknown } = reading;
  const { baseUrl, tenantId, dashboard, requestsPerMinute, serviceReposPath } = values;

  if (baseUrl !== undefined && !values.allowHttp && !unknown.has("allowHttp") && !isProtected(baseUrl)) {
    const allowance = source.setting("allowHttp", settingsTable.allowHttp);
    reading.refuse(
      "baseUrl",
      `${origins.baseUrl!.text} must be https, because http would send the API key unencrypted: use https, or set ` +
        `${allowance} to true`,
    );
  }
  const logLines = logLinesIn(environment);
  if (logLines === undefined)
    reading.refuse(undefined, `${logLinesVariable} must be a whole number from 0 to ${mostLogLines}`);
  const { proxies, problem } = proxiesIn(environment);
  if (problem !== undefined) reading.refuse(undefined, problem);

  const isPlaced = values.dialect !== undefined && baseUrl !== undefined && !unknown.has("dashboard");
  const dialect = isPlaced ? dialectAt(values.dialect!, baseUrl, dashboard) : values.dialect;
  const problems = reading.problemsInOrder();
  const isIncomplete = problems.length > 0 || unknown.size > 0;
  if (isIncomplete || !baseUrl || !dialect || logLines === undefined || proxies === undefined)
    return { problems, dialect };
  const isToken = credential?.isToken ?? false;
  const apiKeyAdvice = credential?.advice ?? source.keyAdvice(reading.isKeyFromEnvironment);
  const { warnings } = reading;
  const optional = { tenantId, dashboard, requestsPerMinute, serviceReposPath };
  const derived = { baseUrl, isToken, apiKeyAdvice, origins, warnings, dialect, logLines, proxies };
  return { settings: { ...(values as Settings), ...optional, ...derived }, dialect };
}

/** The sources one after the other: the configuration and the environment, defaults, what the vendor's tools read. */
class Reading {
  /** Typed as the parsers of the table return them. */
  readonly values: { -readonly [Name in SettingName]?: Settings[Name] } = {};
  readonly origins: { -readonly [Name in SettingName]?: Origin } = {};
  readonly unknown = new Set<SettingName>();
  readonly warnings: string[] = [];
  isKeyFromEnvironment = false;
  readonly #missing = new Set<SettingName>();
  readonly #problems: SettingsProblem[] = [];

  constructor(
    private readonly configured: Configured,
    private readonly environment: EnvironmentVariables,
    private readonly source: SettingsSource,
  ) {
    for (const name of settingNames) this.#readOwn(name, settingsTable[name]);
  }

  refuse(setting: SettingName | undefined, message: string): void {
    this.#problems.push({ setting, message });
  }

  /** As in the table; the others last. */
  problemsInOrder(): SettingsProblem[] {
    const place = ({ setting }: SettingsProblem) =>
      setting === undefined ? settingNames.length : settingNames.indexOf(setting);
    return [...this.#problems].sort((a, b) => place(a) - place(b));
  }

  #readOwn(name: SettingName, setting: Setting): void {
    const { source, environment } = this;
    const given = this.configured?.(`${namespace}:${name}`);
    if (given === unknownValue) return void this.unknown.add(name);
    const [own, variable] = [settingText(given), settingText(environment[setting.env])];
    const isOverruled = source.environmentWins(name) && variable !== undefined;
    const isFromEnvironment = isOverruled || own === undefined;
    // An unreadable value is refused, and never replaced by the environment's.
    if (!isOverruled && own === undefined && typeof given === "object" && given !== null)
      return this.refuse(name, `${source.setting(name, setting)} must be a string`);
    if (own === undefined && typeof given === "string" && source.provider !== undefined)
      return this.refuse(name, `${source.setting(name, setting)} ${emptySettingMessage(setting)}`);
    const text = isFromEnvironment ? variable : own;
    const from = isFromEnvironment ? source.variable(name, setting) : source.setting(name, setting);
    if (text === undefined && setting.default === undefined) return void this.#missing.add(name);
    if (name === "apiKey") this.isKeyFromEnvironment = isFromEnvironment;
    this.#use(
      name,
      text ?? setting.default!,
      text === undefined ? undefined : { text: from, isVendors: false },
    );
    const isIgnored = source.provider === undefined && !isFromEnvironment && variable !== undefined;
    if (isIgnored && text !== undefined && !isEqual(setting.parse(variable), setting.parse(text)))
      this.warnings.push(
        `${setting.env} has no effect: ${from} is set to ${text} in the stack's configuration`,
      );
  }

  #use(name: SettingName, text: string, origin: Origin | undefined): void {
    const setting: Setting = settingsTable[name];
    const parsed = setting.parse(text);
    if ("problem" in parsed) {
      const from = origin?.text ?? this.source.variable(name, setting);
      return this.refuse(name, `${from} ${parsed.problem}`);
    }
    Object.assign(this.values, { [name]: parsed.value });
    if (origin !== undefined) this.origins[name] = origin;
  }

  /** A dialect may have short names for the addresses of its public service, and other addresses that lead to it. */
  resolveAddress(): void {
    const { baseUrl, dialect } = this.values;
    if (baseUrl === undefined || dialect === undefined) return;
    this.values.baseUrl = addressOf(baseUrl, dialect);
    if (this.values.baseUrl === undefined)
      this.refuse(
        "baseUrl",
        `${this.origins.baseUrl!.text} must be an address: dialect ${dialect.name} has no region "${baseUrl}"`,
      );
  }

  /** Returns the vendor's credential, if it is used. */
  addVendors(now: number): VendorCredential | undefined {
    const { values, environment } = this;
    const vendors = vendorSettings(values.dialect, environment, now);
    const isOpen = this.unknown.has("dialect") || this.unknown.has("baseUrl");
    const mayFollow = isOpen && traces(values.dialect, environment).length > 0;
    const add = <T extends VendorValue>(
      name: SettingName,
      find: (vendors: VendorSettings) => T | { readonly problem: string } | undefined,
    ): T | undefined => {
      if (!this.#missing.has(name)) return undefined;
      if (mayFollow) return void this.unknown.add(name);
      const found = vendors && !isOpen ? find(vendors) : undefined;
      if (found === undefined) return void this.#refuseMissing(name, vendors);
      if ("problem" in found) return void this.refuse(name, found.problem);
      this.#use(name, found.text, { text: found.from, isVendors: true });
      return found;
    };
    const address = add("baseUrl", (each) => each.address);
    const at = values.baseUrl;
    // A key belongs to an address, so nothing can be said about it.
    if (at === undefined && this.#problems.some(({ setting }) => setting === "baseUrl") && vendors?.address)
      return undefined;
    if (address !== undefined && vendors?.warning !== undefined) this.warnings.push(vendors.warning);
    const credential = add("apiKey", (each) => (at === undefined ? undefined : each.credentialFor(at)));
    add("tenantId", (each) =>
      at === undefined ? undefined : each.workspaceFor(at, credential === undefined),
    );
    return credential;
  }

  #refuseMissing(name: SettingName, vendors: VendorSettings | undefined): void {
    const setting: Setting = settingsTable[name];
    if (!setting.required) return;
    const { baseUrl, dialect } = this.values;
    const isFirst = !this.#problems.some(({ message }) => message.includes(otherDialect));
    const elsewhere =
      vendors === undefined && dialect !== undefined && isFirst ? traces(undefined, this.environment) : [];
    const hints = [
      ...(vendors?.unusedFor(baseUrl) ?? []),
      ...elsewhere.slice(0, 1).map((trace) => `${trace} ${otherDialect} ${settingNamed("dialect")}`),
    ];
    const env = [
      setting.env,
      ...(name === "apiKey" && baseUrl ? (vendors?.keyVariablesFor(baseUrl) ?? []) : []),
    ];
    const login =
      vendors === undefined || this.source.provider !== undefined ? "" : vendors.loginAdvice(baseUrl);
    const missing = this.source.missing(name, { ...setting, env: env.join(" or ") });
    this.refuse(name, [`${missing}${login}`, ...hints].join("; "));
  }
}

const otherDialect = "is only used in another dialect: for that, set";

function vendorSettings(dialect: Dialect | undefined, environment: EnvironmentVariables, now: number) {
  return dialect?.vendor && new VendorSettings(dialect, dialect.vendor, environment, now);
}

/** @param dialect undefined for all */
function traces(dialect: Dialect | undefined, environment: EnvironmentVariables): string[] {
  const chosen = dialect === undefined ? Object.values(dialects) : [dialect];
  return chosen.flatMap(({ vendor }) => (vendor === undefined ? [] : tracesOf(vendor, environment)));
}

/** Undefined if it is the name of a region that the dialect does not have. */
function addressOf(given: string, dialect: Dialect): string | undefined {
  if (URL.canParse(given)) return controlPlaneAt(dialect, given);
  return Object.hasOwn(dialect.regions, given) ? dialect.regions[given] : undefined;
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
  readonly dashboard?: string | undefined;
}

/** Reads which service's rules apply to a file. Sends nothing, so it needs no key, and uses the address only if there is one. */
export function readServiceRules(
  configured: Configured,
  environment: EnvironmentVariables,
): ServiceRules | { readonly problem: string } {
  const textFor = (name: "dialect" | "baseUrl" | "dashboard") =>
    settingText(configured?.(`${namespace}:${name}`)) ?? settingText(environment[settingsTable[name].env]);
  const name = textFor("dialect") ?? settingsTable.dialect.default;
  const problem = settingProblem("dialect", name);
  if (problem !== undefined) return { problem: `${settingsTable.dialect.env} ${problem}` };
  const dialect = dialects[name]!;
  const vendors = vendorSettings(dialect, environment, Date.now())?.address;
  const given = textFor("baseUrl") ?? (vendors && "text" in vendors ? vendors.text : undefined);
  const isSound = given !== undefined && settingProblem("baseUrl", given) === undefined;
  const dashboard = textFor("dashboard");
  return {
    name,
    baseUrl: isSound ? addressOf(given, dialect) : undefined,
    ...(dashboard !== undefined && { dashboard }),
  };
}
