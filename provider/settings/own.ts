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

/** What is known of a setting. */
export type Read<T = unknown> = "missing" | "not known yet" | Problem | Found<T>;

export interface Problem {
  readonly problem: string;
}

export interface Found<T> {
  readonly value: T;
  /** Undefined for a default. */
  readonly origin?: Origin;
  readonly isFromEnvironment?: boolean;
  /** If the key of the vendor's tools is a token. */
  readonly token?: Token;
  /** What to check if the service refuses a key of the vendor's tools. */
  readonly advice?: string;
}

export type Reads = { readonly [Name in SettingName]: Read<Settings[Name]> };

export const settingNames = Object.keys(settingsTable) as SettingName[];

export function foundIn<T>(read: Read<T>): Found<T> | undefined {
  return typeof read === "object" && "value" in read ? read : undefined;
}

export function problemIn(read: Read): string | undefined {
  return typeof read === "object" && "problem" in read ? read.problem : undefined;
}

export function readAll(sources: Sources): Reads {
  return Object.fromEntries(settingNames.map((name) => [name, readOne(name, sources)])) as Reads;
}

function readOne<Name extends SettingName>(
  name: Name,
  { configured, environment, source }: Sources,
): Read<Settings[Name]> {
  const setting: Setting = settingsTable[name];
  const given = configured?.(`${namespace}:${name}`);
  if (given === unknownValue) return "not known yet";
  const [own, variable] = [settingText(given), settingText(environment[setting.env])];
  const isOverruled = source.environmentWins(name) && variable !== undefined;
  const isFromEnvironment = isOverruled || own === undefined;
  // An unreadable value is refused, and never replaced by the environment's.
  if (!isOverruled && own === undefined && typeof given === "object" && given !== null)
    return { problem: `${source.setting(name, setting)} must be a string` };
  if (own === undefined && typeof given === "string" && source.provider !== undefined)
    return { problem: `${source.setting(name, setting)} ${emptySettingMessage(setting)}` };
  const text = isFromEnvironment ? variable : own;
  const from = isFromEnvironment ? source.variable(name, setting) : source.setting(name, setting);
  if (text === undefined)
    return setting.default === undefined ? "missing" : parsed(name, setting.default, from, {});
  return parsed(name, text, from, { origin: { text: from, isVendors: false }, isFromEnvironment });
}

/** @param from where the text comes from, for a message */
export function parsed<Name extends SettingName>(
  name: Name,
  text: string,
  from: string,
  found: Omit<Found<unknown>, "value">,
): Read<Settings[Name]> {
  const result = parseSetting(name, text);
  if ("problem" in result) return { problem: `${from} ${result.problem}` };
  return { ...found, value: result.value as Settings[Name] };
}
