/** Addresses of repositories, which some people give a password or a token to carry. */

const telling = /[?&#][^=&#]*(token|key|secret|password|passwd|auth|sig)[^=&#]*=/i;

/** The address without the user, password and token in it. The user of an SSH address is no secret. */
export function withoutCredentials(address: string): string {
  const [, scheme = "", user = "", rest = ""] = /^([a-z][a-z0-9+.-]*:\/\/)?([^/?#]*)@(.*)$/is.exec(
    address,
  ) ?? ["", "", "", address];
  const isShown = user !== "" && !/^https?:/i.test(scheme) && !user.includes(":");
  const plain = `${scheme}${isShown ? `${user}@` : ""}${rest}`;
  return telling.test(plain) ? plain.replace(/[?#].*$/s, "") : plain;
}
