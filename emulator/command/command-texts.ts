import type { Emulator, EmulatorOptions } from "../emulator";
import type { LoggedRequest } from "../http/request-log";
import { dialects } from "../rules/dialects";

/** The environment of a program that uses this emulator. */
export function variablesFor({ url, apiKey }: Emulator, options: EmulatorOptions): Record<string, string> {
  const { dialect = "standard", tenantId } = options;
  return {
    DEPLOYMENT_SERVICE_URL: url,
    DEPLOYMENT_SERVICE_API_KEY: apiKey,
    ...(isLoopback(url) ? {} : { DEPLOYMENT_SERVICE_ALLOW_HTTP: "true" }),
    ...(dialect === "standard" ? {} : { DEPLOYMENT_SERVICE_DIALECT: dialect }),
    ...(tenantId === undefined ? {} : { DEPLOYMENT_SERVICE_TENANT_ID: tenantId }),
  };
}

/** The content of the file that a login on this emulator would write; undefined if its service has no logins. */
export function loginFor({ url, apiKey }: Emulator, options: EmulatorOptions): object | undefined {
  const { dialect = "standard", accessToken, tenantId } = options;
  if (!dialects[dialect].bearer) return undefined;
  const credential =
    accessToken === undefined ? { api_key: apiKey } : { oauth: { access_token: accessToken } };
  const profile = { api_url: url, ...(tenantId && { workspace_id: tenantId }), ...credential };
  return { profiles: { default: profile } };
}

export function greeting(emulator: Emulator, options: EmulatorOptions): string {
  const { url, apiKey } = emulator;
  const { host = "127.0.0.1", state } = options;
  const variables = Object.entries(variablesFor(emulator, options));
  const login = loginFor(emulator, options);
  const warning = `It listens on ${host}: anyone who can connect and knows the key can read what it stores.`;
  return [
    `The emulator of the deployment service listens on ${url}. Paste this where you run pulumi:`,
    "",
    ...variables.map(([name, value]) => exported(name, value)),
    "",
    "A stack that has an address, as in a project of `init --from`, keeps it. There, use another stack as well:",
    "",
    `pulumi stack init try --copy-config-from dev && pulumi config set deployment-service:baseUrl ${quote(url)}`,
    "",
    ...(login === undefined
      ? []
      : [
          "Or, to try it as after `langsmith auth login`, paste this instead:",
          "",
          "unset DEPLOYMENT_SERVICE_URL DEPLOYMENT_SERVICE_API_KEY",
          ...variables.flatMap(([name, value]) => (ofLogin.test(name) ? [] : [exported(name, value)])),
          // Not here, where it may be a part of the agent that is uploaded.
          'export LANGSMITH_CONFIG_FILE="${TMPDIR:-/tmp}/emulator-login.json"',
          `echo ${quote(JSON.stringify(login))} > "$LANGSMITH_CONFIG_FILE"`,
          "",
        ]),
    state === undefined ? "Its state is only in memory: see --state." : `Its state is kept in ${state}.`,
    ...(isLoopback(`http://${host}`) ? [] : [warning]),
    `--help lists the control routes, which change things behind a program's back. The first to try:`,
    `  curl -H ${quote(`X-Api-Key: ${apiKey}`)} ${url}/_emulator/deployments`,
    ...(options.apps ? [] : ["Nothing answers at the addresses of its deployments: see --apps."]),
    "Press Ctrl-C to stop it. Requests:",
    "",
  ].join("\n");
}

/** What a login replaces. */
const ofLogin = /_(URL|API_KEY|TENANT_ID)$/;

function exported(name: string, value: string): string {
  return `export ${name}=${quote(value)}`;
}

export function requestLine({ method, path, query, status, ms }: LoggedRequest): string {
  const search = new URLSearchParams(query).toString();
  return `${method.padEnd(6)} ${path}${search && `?${search}`} ${status} ${ms ?? 0}ms\n`;
}

function isLoopback(url: string): boolean {
  return /^http:\/\/(127\.[\d.]+|\[?::1\]?|localhost)(:|$)/.test(url);
}

function quote(value: string): string {
  return /^[\w:/.@-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}
