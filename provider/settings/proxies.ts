/** The proxies that the environment configures, as options of the HTTP library. */
import type { EnvironmentVariables } from "./table";

export interface Proxies {
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
}

const variables = { httpProxy: "HTTP_PROXY", httpsProxy: "HTTPS_PROXY" } as const;

/** Like other tools, reads `proxy.example.com:3128` as an address that begins with `http://`. */
export function proxiesIn(environment: EnvironmentVariables): { proxies?: Proxies; problem?: string } {
  const proxies: Record<string, string> = {};
  for (const [key, variable] of Object.entries(variables)) {
    const text = environment[variable.toLowerCase()] || environment[variable];
    if (!text) continue;
    const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
    const problem = proxyProblem(address);
    if (problem !== undefined) return { problem: `${variable} ${problem}` };
    proxies[key] = address;
  }
  return { proxies };
}

/** The variable that configures the proxy for an address. */
export function proxyVariable({ protocol }: URL, { httpsProxy }: Proxies = {}): string {
  return protocol === "https:" && httpsProxy !== undefined ? variables.httpsProxy : variables.httpProxy;
}

/** Credentials that a proxy may echo: the password, and the user and password that are sent in base64. */
export function proxyCredentials(proxies: Proxies): string[] {
  return Object.values(proxies).flatMap((address: string) => {
    const { username, password } = new URL(address);
    const clear = decodeURIComponent(password);
    return clear === "" ? [] : [clear, `${decodeURIComponent(username)}:${clear}`];
  });
}

/** Never quotes the address, which may contain a password. */
function proxyProblem(address: string): string | undefined {
  const example = "http://proxy.example.com:3128";
  if (/^socks/i.test(address))
    return `names a SOCKS proxy: only http and https proxies are supported (${example})`;
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    return `must be the address of a proxy, such as ${example}`;
  }
  const { username, password } = new URL(address);
  if (isDecodable(username) && isDecodable(password)) return undefined;
  return "has a % in its user or password that is not part of an escape: write each % as %25";
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
