/** Fills in what is missing from what the vendor's tools read, or says what is missing. */
import { dialects } from "../dialects";
import type { Read, Reads, Sources } from "./own";
import { settingNamed, type EnvironmentVariables } from "./table";
import { tracesOf, VendorSettings } from "./vendor";

export function withVendors(own: Reads, { source, environment }: Sources): Reads {
  const dialect = own.dialect?.value;
  const vendors = dialect?.vendor && new VendorSettings(dialect, dialect.vendor, environment);
  const isComplete = own.baseUrl !== undefined && own.apiKey !== undefined;
  const other = dialect?.vendor || isComplete ? undefined : otherDialect(environment);
  const missing = (name: "baseUrl" | "apiKey", address?: string): Read<string> => {
    const message = source.missing(name);
    if (dialect === undefined || other === undefined)
      return { problem: [message, vendors?.hintFor(address)].filter(Boolean).join("; ") };
    // Somebody who has only what is for another dialect means that one.
    const isFirst = name === "baseUrl";
    return { problem: isFirst ? `${other}; in dialect ${dialect.name}, ${message}` : `${message}; ${other}` };
  };

  const baseUrl = own.baseUrl ?? vendors?.address ?? missing("baseUrl");
  const address = baseUrl.value;
  if (address === undefined) {
    // A key belongs to an address: without one, nothing can be said about the key that may be there.
    const mayHaveKey = vendors
      ? vendors.address !== undefined
      : own.baseUrl === undefined && other !== undefined;
    if (baseUrl.isUnknown || mayHaveKey) return { ...own, baseUrl };
    return { ...own, baseUrl, apiKey: own.apiKey ?? missing("apiKey") };
  }
  const apiKey = own.apiKey ?? vendors?.keyFor(address) ?? missing("apiKey", address);
  const hasOwnKey = apiKey.origin?.isVendors !== true;
  return { ...own, baseUrl, apiKey, tenantId: own.tenantId ?? vendors?.workspaceFor(address, hasOwnKey) };
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
