/** Credentials in addresses, mostly of repositories. */
import type { Path } from "./tree";

/** The arguments that are addresses. */
export const addresses: readonly Path[] = [
  ["sourceConfig", "repoUrl"],
  ["sourceConfig", "customUrl"],
];

/** Certainly a host. Other text before the first slash can be part of a password that contains a slash. */
const plainHost = /^[\w-]+(\.[\w-]+)+(:\d{1,5})?$/;

/** Removes the user, the password, and what may contain a token. Keeps the user `git` of an SSH address, which is required. */
export function withoutCredentials(address: string): string {
  const { scheme, user, place, isOfSsh } = partsOf(address);
  return `${scheme}${isOfSsh && user === "git" ? "git@" : ""}${place.replace(/[?#;].*$/s, "")}`;
}

/** Whether there is a password, or a user that may be a token. The user of an SSH address is neither. */
export function hasCredentials(address: string): boolean {
  const { user, isOfSsh } = partsOf(address);
  return user !== undefined && (!isOfSsh || user.includes(":"));
}

function partsOf(address: string) {
  const [, scheme = "", rest = ""] = /^([a-z][a-z0-9+.-]*:\/+|\/+)?(.*)$/is.exec(address.trim())!;
  const at = rest.lastIndexOf("@");
  const hasUser = at !== -1 && !plainHost.test(rest.split("/")[0]!);
  const isOfSsh = scheme === "" || /ssh:/i.test(scheme);
  return {
    scheme,
    isOfSsh,
    user: hasUser ? rest.slice(0, at) : undefined,
    place: hasUser ? rest.slice(at + 1) : rest,
  };
}
