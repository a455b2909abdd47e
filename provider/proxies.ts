/** The proxies that the environment names, in the form that the HTTP library takes. */
type Environment = Readonly<Record<string, string | undefined>>;

export interface Proxies {
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
}

const variables = { httpProxy: "HTTP_PROXY", httpsProxy: "HTTPS_PROXY" } as const;

/** As other tools do, takes `proxy.example.com:3128` for an address that begins with `http://`. */
export function proxiesIn(
  environment: Environment,
):
  | { readonly proxies: Proxies; readonly problem?: undefined }
  | { readonly proxies?: undefined; readonly variable: string; readonly problem: string } {
  const proxies: Record<string, string> = {};
  for (const [key, variable] of Object.entries(variables)) {
    const text = environment[variable.toLowerCase()] || environment[variable];
    if (!text) continue;
    const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
    // What it holds may be a password.
    if (!isAddress(address)) {
      return {
        variable,
        problem: `${variable} must be the address of a proxy, such as http://proxy.example.com:3128`,
      };
    }
    proxies[key] = address;
  }
  return { proxies };
}

/** The variable that names the proxy for an address. */
export function proxyVariable({ protocol }: URL, { httpsProxy }: Proxies = {}): string {
  return protocol === "https:" && httpsProxy !== undefined ? variables.httpsProxy : variables.httpProxy;
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && /^(https?|socks5?):$/.test(new URL(text).protocol);
}
