/** Reads the settings of a connection: which source wins, and all problems. */
import { controlPlaneAt, dialectAt, dialects, type Dialect } from "../dialects";
import { proxiesIn } from "./proxies";
import { withVendors } from "./fallback";
import { readAll, settingNames, type Read, type Reads, type Sources } from "./own";
import type { Origins, Settings, SettingsProblem } from "./settings";
import { settingsSource, type SettingsSource } from "./sources";
import { settingsTable, type EnvironmentVariables } from "./table";

/** Which service's rules apply. */
export interface ServiceRules {
  /** The name of a dialect. */
  readonly name: string;
  readonly baseUrl: string | undefined;
  readonly dashboard?: string | undefined;
}

/** Without settings and problems, some values are not known yet. */
export interface SettingsResult {
  readonly settings: Settings | undefined;
  readonly problems: readonly SettingsProblem[];
  /** The dialect's rules hold whatever else is wrong. Undefined if it is invalid or not known yet. */
  readonly dialect: Dialect | undefined;
  /** For a check that sends nothing, and so needs neither a key nor an address. Undefined if the dialect is. */
  readonly rules: ServiceRules | undefined;
}

/**
 * Returns the settings, or all problems. Returns neither if some values are not known yet and the others are valid.
 *
 * @param configured looks up a key such as `deployment-service:baseUrl` in the configuration of the stack or of the provider;
 *   undefined outside of a stack, where only the environment counts
 * @param environment the process's environment
 * @param source which of the two wins, and how messages refer to them
 */
export function readSettings(
  configured: Sources["configured"],
  environment: EnvironmentVariables,
  source: SettingsSource = settingsSource(configured),
): SettingsResult {
  const sources = { configured, environment, source };
  const own = readAll(sources);
  const reads = withVendors({ ...own, baseUrl: resolved(own.baseUrl, own.dialect?.value) }, sources);
  const each = (part: keyof Read) =>
    Object.fromEntries(settingNames.map((name) => [name, reads[name]?.[part]]));
  const values = each("value") as Partial<Settings>;
  const { baseUrl, dashboard } = values;

  const { proxies, problem } = proxiesIn(environment);
  const problems = [
    ...settingNames.map((setting) => ({ setting, message: reads[setting]?.problem })),
    { setting: "baseUrl" as const, message: unencryptedText(reads, source) },
    { setting: undefined, message: problem },
  ].flatMap(({ setting, message }) => (message === undefined ? [] : [{ setting, message }]));

  const isPlaced = values.dialect && baseUrl !== undefined && !reads.dashboard?.isUnknown;
  const dialect = isPlaced ? dialectAt(values.dialect!, baseUrl, dashboard) : values.dialect;
  const rules = values.dialect && { name: values.dialect.name, baseUrl, dashboard };
  const isIncomplete = problems.length > 0 || settingNames.some((name) => reads[name]?.isUnknown);
  if (isIncomplete || !baseUrl || !dialect || proxies === undefined)
    return { settings: undefined, problems, dialect, rules };
  const { token, advice, origin } = reads.apiKey!;
  const derived = {
    baseUrl,
    dialect,
    proxies,
    token,
    apiKeyAdvice: advice ?? keyAdvice(origin!.text, source),
    origins: each("origin") as Origins,
  };
  return { settings: { ...(values as Settings), ...derived }, problems, dialect, rules };
}

/** What to check if the service refuses the key. Without the program, the engine takes settings from the state. */
function keyAdvice(from: string, source: SettingsSource): string {
  const { env } = settingsTable.apiKey;
  if (from.includes(env)) return `Check ${env}.`;
  const ofLastUp =
    " `refresh` and `destroy` use the value of the last `pulumi up`: to use a new one, add `--run-program`.";
  return `Check ${from}.${source.environmentWins("baseUrl") ? "" : ofLastUp}`;
}

/** A dialect may have short names for the addresses of its public service, and other addresses that lead to it. */
function resolved(given: Reads["baseUrl"], dialect: Dialect | undefined): Reads["baseUrl"] {
  const text = given?.value;
  if (text === undefined || dialect === undefined) return given;
  const value = URL.canParse(text) ? controlPlaneAt(dialect, text) : dialect.regions[text];
  if (value !== undefined) return { ...given, value };
  const from = given!.origin!.text;
  const other = Object.values(dialects).find(({ regions }) => Object.hasOwn(regions, text));
  const hint = other === undefined ? "" : `; it is one of dialect ${other.name}`;
  return {
    problem: `${from} must be an address: dialect ${dialect.name} has no region "${text}"${hint}`,
  };
}

function unencryptedText({ baseUrl, allowHttp }: Reads, source: SettingsSource): string | undefined {
  const isAllowed = allowHttp?.isUnknown || allowHttp?.value;
  if (baseUrl?.value === undefined || isAllowed || isProtected(baseUrl.value)) return undefined;
  return (
    `${baseUrl.origin!.text} must be https, because http would send the API key unencrypted: use https, or set ` +
    `${source.setting("allowHttp")} to true`
  );
}

/** With a dialect that is wrong or not known yet, the address may still be the name of a region. */
function isProtected(baseUrl: string): boolean {
  if (!URL.canParse(baseUrl)) return true;
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "https:" || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
