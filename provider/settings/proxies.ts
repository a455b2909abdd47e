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
    if (!isProxy(address)) return { problem: `${variable} ${noProxy}` };
    proxies[key] = address;
  }
  return { proxies };
}

/** Does not quote the address, which may contain a password. */
const noProxy =
  "must be the address of an http or https proxy, such as http://proxy.example.com:3128. In its user and password, write % as %25";

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

function isProxy(address: string): boolean {
  try {
    const { protocol, username, password } = new URL(address);
    decodeURIComponent(`${username}:${password}`);
    return /^https?:$/.test(protocol);
  } catch {
    return false;
  }
}
