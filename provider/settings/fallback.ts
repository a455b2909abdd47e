/** Fills in what is missing from what the vendor's tools read, or says what is missing. */
import { dialects, type Dialect } from "../dialects";
import { foundIn, parsed, problemIn, type Problem, type Read, type Reads, type Sources } from "./own";
import type { Settings } from "./settings";
import {
  settingNamed,
  settingsTable,
  type EnvironmentVariables,
  type Setting,
  type SettingName,
} from "./table";
import { tracesOf, VendorSettings, type VendorCredential, type VendorValue } from "./vendor";

interface Filled {
  readonly reads: Reads;
  /** The vendor's, if it is used. */
  readonly credential?: VendorCredential | undefined;
}

/** @param now milliseconds since the epoch */
export function withVendors(own: Reads, sources: Sources, now: number): Filled {
  const dialect = foundIn(own.dialect)?.value;
  const vendors = vendorSettings(dialect, sources.environment, now);
  const isOpen = own.dialect === "not known yet" || own.baseUrl === "not known yet";
  const mayFollow = isOpen && traces(dialect, sources.environment).length > 0;
  const fill = <Name extends "baseUrl" | "apiKey" | "tenantId">(
    name: Name,
    known: Reads,
    find: (vendors: VendorSettings) => VendorValue | Problem | undefined,
  ): Read<Settings[Name]> => {
    const read: Read<Settings[Name]> = own[name];
    if (read !== "missing") return read;
    if (mayFollow) return "not known yet";
    const given = vendors && !isOpen ? find(vendors) : undefined;
    if (given === undefined) return missing(name, known, vendors, sources);
    if ("problem" in given) return given;
    const { text, from, added } = given;
    return parsed(name, text, from, { origin: { text: from, isVendors: true, added } });
  };
  const baseUrl = fill("baseUrl", own, (each) => each.address);
  const placed = { ...own, baseUrl };
  const at = foundIn(baseUrl);
  // A key belongs to an address, so nothing can be said about it.
  const isElsewhere =
    vendors === undefined && own.baseUrl === "missing" && otherDialect(sources.environment) !== undefined;
  if (problemIn(baseUrl) !== undefined && (vendors?.address !== undefined || isElsewhere))
    return { reads: placed };
  const given = at && own.apiKey === "missing" && !isOpen ? vendors?.credentialFor(at.value) : undefined;
  const credential = given !== undefined && "text" in given ? given : undefined;
  const reads = {
    ...placed,
    apiKey: fill("apiKey", placed, () => given),
    tenantId: fill("tenantId", placed, (each) => at && each.workspaceFor(at.value, credential === undefined)),
  };
  return { reads, credential };
}

function missing(
  name: SettingName,
  { baseUrl, dialect }: Reads,
  vendors: VendorSettings | undefined,
  { source, environment }: Sources,
): Problem | "missing" {
  const setting: Setting = settingsTable[name];
  if (!setting.required) return "missing";
  const address = foundIn(baseUrl)?.value;
  const other =
    vendors === undefined && foundIn(dialect) !== undefined ? otherDialect(environment) : undefined;
  const hints = [...(vendors?.unusedFor(address) ?? []), ...(other === undefined ? [] : [other])];
  const env = [
    ...(name === "apiKey" && address ? (vendors?.keyVariablesFor(address) ?? []) : []),
    setting.env,
  ];
  const login = vendors === undefined || source.provider !== undefined ? "" : vendors.loginAdvice(address);
  const message = source.missing(name, { ...setting, env: env.join(" or ") });
  // Of the environment alone, it does not say what to do.
  const todo = login !== "" && !message.includes(": ") ? ": set it" : "";
  // Somebody who has only that means that dialect.
  if (name === "baseUrl" && other !== undefined)
    return { problem: `${other}; in dialect ${foundIn(dialect)!.value.name}, ${message}` };
  return { problem: [`${message}${todo}${login}`, ...hints].join("; ") };
}

/** What is there for another dialect, and how to use it. */
function otherDialect(environment: EnvironmentVariables): string | undefined {
  const [found] = Object.values(dialects).flatMap((each) =>
    traces(each, environment).map((trace) => ({ trace, name: each.name })),
  );
  return (
    found &&
    `${found.trace} is only used in dialect ${found.name}: set ${settingNamed("dialect")} to ${found.name}`
  );
}

function vendorSettings(dialect: Dialect | undefined, environment: EnvironmentVariables, now: number) {
  return dialect?.vendor && new VendorSettings(dialect, dialect.vendor, environment, now);
}

function traces(dialect: Dialect | undefined, environment: EnvironmentVariables): string[] {
  return dialect?.vendor === undefined ? [] : tracesOf(dialect.vendor, environment);
}
