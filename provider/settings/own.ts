/** Reads each setting from the configuration, the environment and the table of settings. */
import { unknownValue } from "../../schema/tree";
import type { Origin, Settings } from "./settings";
import type { SettingsSource } from "./sources";
import {
  emptySettingMessage,
  namespace,
  parseSetting,
  settingsTable,
  settingText,
  type EnvironmentVariables,
  type Setting,
  type SettingName,
} from "./table";
import type { Token } from "./token";

export interface Sources {
  readonly configured: ((key: string) => unknown) | undefined;
  readonly environment: EnvironmentVariables;
  /** Which of the two wins, and how messages refer to them. */
  readonly source: SettingsSource;
}

/** The value of a setting that is there, or what is wrong with it. */
export interface Read<T = unknown> {
  readonly value?: T;
  readonly problem?: string;
  readonly isUnknown?: boolean;
  /** Undefined for a default. */
  readonly origin?: Origin;
  /** If the key of the vendor's tools is a token. */
  readonly token?: Token | undefined;
  /** What to check if the service refuses a key of the vendor's tools. */
  readonly advice?: string;
}

/** Without what is missing. */
export type Reads = { readonly [Name in SettingName]?: Read<Settings[Name]> | undefined };

export const settingNames = Object.keys(settingsTable) as SettingName[];

export function readAll(sources: Sources): Reads {
  return Object.fromEntries(settingNames.map((name) => [name, readOne(name, sources)])) as Reads;
}

function readOne(name: SettingName, { configured, environment, source }: Sources): Read | undefined {
  const setting: Setting = settingsTable[name];
  const given = configured?.(`${namespace}:${name}`);
  if (given === unknownValue) return { isUnknown: true };
  const [own, variable] = [settingText(given), settingText(environment[setting.env])];
  const isOverruled = source.environmentWins(name) && variable !== undefined;
  const isFromEnvironment = isOverruled || own === undefined;
  // An unreadable value is refused, and never replaced by the environment's.
  if (!isOverruled && own === undefined && typeof given === "object" && given !== null)
    return { problem: `${source.setting(name)} must be a string` };
  if (own === undefined && typeof given === "string" && source.provider !== undefined)
    return { problem: `${source.setting(name)} ${emptySettingMessage(setting)}` };
  const text = isFromEnvironment ? variable : own;
  if (text === undefined) return setting.default === undefined ? undefined : setting.parse(setting.default);
  // A program's run names the setting beside its variable: people look for either.
  const named = source.environmentWins("baseUrl") ? setting.env : `${source.setting(name)} (${setting.env})`;
  return parsed(name, text, { text: isFromEnvironment ? named : source.setting(name), isVendors: false });
}

export function parsed<Name extends SettingName>(
  name: Name,
  text: string,
  origin: Origin,
): Read<Settings[Name]> {
  const result = parseSetting(name, text);
  if ("problem" in result) return { problem: `${origin.text} ${result.problem}` };
  return { value: result.value as Settings[Name], origin };
}
