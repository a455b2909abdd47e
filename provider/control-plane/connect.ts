import { systemClock, type Clock } from "../clock";
import { Client } from "./client";
import { Http } from "./http";
import type { Limits } from "../limits";
import { proxyCredentials } from "../settings/proxies";
import type { Settings } from "../settings/reading";

export interface Connection {
  readonly settings: Settings;
  readonly client: Client;
  readonly clock: Clock;
  /** From now on, for what the user can set no time for: a refresh, a look-up. */
  lookUpLimits(): Limits;
}

/**
 * What talks to one service with one key. Nothing is sent before it is used.
 *
 * @param tell says what is waited for, for what belongs to no operation; nobody hears it by default
 * @param failsFast whether the first request does not wait for a service that cannot be reached
 */
export function connect(
  settings: Settings,
  clock: Clock = systemClock,
  tell?: Limits["tell"],
  failsFast = false,
): Connection {
  const {
    baseUrl,
    allowHttp,
    apiKey,
    apiKeyAdvice,
    tenantId,
    dialect,
    maxConcurrency,
    requestTimeout,
    pollInterval,
    serviceReposPath,
    proxies,
  } = settings;
  const http = new Http({
    baseUrl,
    headers: {
      [dialect.headers.apiKey]: apiKey,
      ...(tenantId !== undefined && { [dialect.headers.tenantId]: tenantId }),
    },
    secrets: [apiKey, ...proxyCredentials(proxies)],
    requestTimeout,
    maxConcurrency,
    advice: [...dialect.advice, { pattern: "^401\\b", text: apiKeyAdvice }],
    proxies,
    allowsHttp: allowHttp,
    clock,
    tell,
    failsFast,
    trace: process.env["DEPLOYMENT_SERVICE_LOG"] === "debug" ? traceToStderr : undefined,
  });
  const client = new Client({ http, dialect, clock, pollInterval, serviceReposPath });
  return { settings, clock, client, lookUpLimits: () => http.ownLimits() };
}

function traceToStderr(line: string): void {
  process.stderr.write(`deployment-service: ${line}\n`);
}
