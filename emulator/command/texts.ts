import { controlRouteLines } from "../control/routes";
import type { Emulator, EmulatorOptions } from "../emulator";
import type { LoggedRequest } from "../http/request-log";
import { failHelp } from "./fail";

/** What `--help` says beside the flags. */
export const notes: readonly { readonly title: string; readonly lines: readonly string[] }[] = [
  { title: "What --fail takes", lines: failHelp.map((line) => `  ${line}`) },
  {
    title: "Controls, over HTTP with the same API key: what happens behind a program's back",
    lines: controlRouteLines().map((line) => `  ${line}`),
  },
];

/** The settings of a program that shall talk to this emulator. */
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

export function greeting(emulator: Emulator, options: EmulatorOptions): string {
  const { url, apiKey } = emulator;
  const { host = "127.0.0.1", state } = options;
  const variables = Object.entries(variablesFor(emulator, options));
  return [
    `An emulator of the deployment service listens on ${url}. Paste this where you run pulumi:`,
    "",
    ...variables.map(([name, value]) => `export ${name}=${quote(value)}`),
    "",
    state === undefined ? "Its state is in memory only: see --state." : `Its state is kept in ${state}.`,
    ...(isLoopback(`http://${host}`)
      ? []
      : [`It listens on ${host}: whoever reaches this machine and knows the key can read what it keeps.`]),
    `To change things behind a program's back, see --help; to begin with:`,
    `  curl -H ${quote(`X-Api-Key: ${apiKey}`)} ${url}/_emulator/deployments`,
    "Ctrl-C ends it. Requests:",
    "",
  ].join("\n");
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
