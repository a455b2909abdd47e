/** Connects to one service with one key. */
import { systemClock, type Clock } from "../time/clock";
import { Client } from "./client";
import { Http } from "./http";
import type { Limits } from "../time/limits";
import { proxyCredentials } from "../settings/proxies";
import type { Settings } from "../settings/settings";

export interface Connection {
  readonly settings: Settings;
  readonly client: Client;
  readonly clock: Clock;
  /** Limits, counted from now, for operations without a user-defined timeout: refreshes and lookups. */
  lookUpLimits(): Limits;
}

/**
 * A connection to one service with one key. Connects lazily.
 *
 * @param tell reports waits of calls that belong to no operation; by default they are not reported
 * @param failsFast whether the first request fails at once if the service cannot be reached
 */
export function connect(
  settings: Settings,
  clock: Clock = systemClock,
  tell?: Limits["tell"],
  failsFast = false,
): Connection {
  const { apiKey, token, apiKeyAdvice, tenantId, dialect, proxies } = settings;
  const http = new Http({
    ...settings,
    authorize: async () =>
      token === undefined
        ? { [dialect.headers.apiKey]: apiKey }
        : { [dialect.headers.token]: `Bearer ${await token.current(clock.now())}` },
    headers: {
      ...(tenantId !== undefined && { [dialect.headers.tenantId]: tenantId }),
    },
    secrets: () => [apiKey, ...(token?.texts ?? []), ...proxyCredentials(proxies)],
    advice: dialect.advice,
    apiKeyAdvice,
    place: `${settings.baseUrl} from ${settings.origins.baseUrl?.text}`,
    clock,
    tell,
    failsFast,
    trace: process.env["DEPLOYMENT_SERVICE_LOG"] === "debug" ? trace : undefined,
  });
  const client = new Client({ ...settings, http });
  return { settings, clock, client, lookUpLimits: () => http.ownLimits() };
}

const trace = (line: string) => void process.stderr.write(`deployment-service: ${line}\n`);
