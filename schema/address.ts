/** Removes credentials from repository addresses. */

/** Certainly a host. Other text before the first slash can be part of a password that contains a slash. */
const plainHost = /^[\w-]+(\.[\w-]+)+$/;

/**
 * Removes the user, password and token, and also the query, the fragment and parameters, which may contain one. Keeps the
 * user `git` of an SSH address, which is not secret and required.
 */
export function withoutCredentials(address: string): string {
  const [, scheme = "", rest = ""] = /^([a-z][a-z0-9+.-]*:\/+|\/+)?(.*)$/is.exec(address.trim())!;
  const at = rest.lastIndexOf("@");
  const hasUser = at !== -1 && !plainHost.test(rest.split("/")[0]!);
  const isOfSsh = scheme === "" || /ssh:/i.test(scheme);
  const user = hasUser && isOfSsh && rest.slice(0, at) === "git" ? "git@" : "";
  const place = hasUser ? rest.slice(at + 1) : rest;
  return `${scheme}${user}${place.replace(/[?#;].*$/s, "")}`;
}
