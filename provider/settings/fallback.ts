/** Fills in what is missing from what the vendor's tools read, or says what is missing. */
import { dialects } from "../dialects";
import { foundIn, parsed, problemIn, type Problem, type Read, type Reads, type Sources } from "./own";
import type { Settings } from "./settings";
import { settingNamed, settingsTable, type EnvironmentVariables, type SettingName } from "./table";
import { tracesOf, VendorSettings, type VendorCredential, type VendorValue } from "./vendor";

export function withVendors(own: Reads, sources: Sources): Reads {
  const { environment } = sources;
  const dialect = foundIn(own.dialect)?.value;
  const vendors = dialect?.vendor && new VendorSettings(dialect, dialect.vendor, environment);
  const baseUrl = readAddress(own, vendors, sources);
  const placed = { ...own, baseUrl };
  // A key belongs to an address: without one, nothing can be said about the key that may be there.
  const mayHaveKey = vendors
    ? vendors.address !== undefined
    : own.baseUrl === "missing" && otherDialect(environment) !== undefined;
  if (problemIn(baseUrl) !== undefined && mayHaveKey) return placed;
  const withKey = { ...placed, apiKey: readKey(placed, vendors, sources) };
  return { ...withKey, tenantId: readTenant(withKey, vendors) };
}

function readAddress(own: Reads, vendors: VendorSettings | undefined, sources: Sources): Reads["baseUrl"] {
  if (own.baseUrl !== "missing") return own.baseUrl;
  return fromVendors("baseUrl", vendors?.address) ?? missing("baseUrl", own, vendors, sources);
}

function readKey(reads: Reads, vendors: VendorSettings | undefined, sources: Sources): Reads["apiKey"] {
  if (reads.apiKey !== "missing") return reads.apiKey;
  // Which key is meant, only the address says.
  if (reads.baseUrl === "not known yet") return "not known yet";
  const address = foundIn(reads.baseUrl);
  const key = address && vendors?.credentialFor(address.value);
  return fromVendors("apiKey", key) ?? missing("apiKey", reads, vendors, sources);
}

function readTenant(reads: Reads, vendors: VendorSettings | undefined): Reads["tenantId"] {
  if (reads.tenantId !== "missing") return reads.tenantId;
  if (reads.baseUrl === "not known yet") return "not known yet";
  const address = foundIn(reads.baseUrl);
  const hasOwnKey = foundIn(reads.apiKey)?.origin?.isVendors !== true;
  const workspace = address && vendors?.workspaceFor(address.value, hasOwnKey);
  return fromVendors("tenantId", workspace) ?? "missing";
}

function fromVendors<Name extends SettingName>(
  name: Name,
  given: VendorValue | VendorCredential | Problem | undefined,
): Read<Settings[Name]> | undefined {
  if (given === undefined || "problem" in given) return given;
  const { text, from, ...credential } = given;
  const found = { ...credential, origin: { text: from, isVendors: true } };
  // Empty if the vendor's tool has yet to get the first token.
  return "token" in found ? { ...found, value: text as Settings[Name] } : parsed(name, text, from, found);
}

function missing(
  name: "baseUrl" | "apiKey",
  { baseUrl, dialect }: Reads,
  vendors: VendorSettings | undefined,
  { source, environment }: Sources,
): Problem {
  const message = source.missing(name, settingsTable[name]);
  const found = foundIn(dialect)?.value;
  const other = vendors === undefined && found !== undefined ? otherDialect(environment) : undefined;
  // Somebody who has only that means that dialect.
  if (name === "baseUrl" && other !== undefined)
    return { problem: `${other}; in dialect ${found!.name}, ${message}` };
  const hints = vendors?.hintsFor(foundIn(baseUrl)?.value) ?? [];
  return { problem: [message, ...hints, ...(other === undefined ? [] : [other])].join("; ") };
}

/** What is there for another dialect, and how to use it. */
function otherDialect(environment: EnvironmentVariables): string | undefined {
  const [found] = Object.values(dialects).flatMap((each) =>
    tracesOf(each.vendor, environment).map((trace) => ({ trace, name: each.name })),
  );
  return (
    found &&
    `${found.trace} is only used in dialect ${found.name}: set ${settingNamed("dialect")} to ${found.name}`
  );
}
