/** Addresses of repositories, which some people give a password or a token to carry. */

/** A host that is sure to be one: before the first slash may also stand a part of a password that holds a slash. */
const plainHost = /^[\w-]+(\.[\w-]+)+$/;

/**
 * The address without the user, password and token in it. What only may be one goes too: a query, a fragment,
 * parameters. The user `git` of an SSH address says nothing, and the address needs it.
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
