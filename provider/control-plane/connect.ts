/** Connects to one service with one key. */
import { systemClock, type Clock } from "../time/clock";
import { Client } from "./client";
import { Http } from "./http";
import type { Limits } from "../time/limits";
import type { Settings } from "../settings/settings";

export interface Connection {
  readonly settings: Settings;
  readonly client: Client;
  readonly clock: Clock;
  /** Limits, counted from now, for operations without a user-defined timeout: refreshes and lookups. */
  lookUpLimits(): Limits;
}

/**
 * Sends nothing before the first call.
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
  const trace = process.env["DEPLOYMENT_SERVICE_LOG"] === "debug" ? traceOnStderr : undefined;
  const http = new Http(settings, { clock, tell, failsFast, trace });
  return { settings, clock, client: new Client(http), lookUpLimits: () => http.ownLimits() };
}

const traceOnStderr = (line: string) => void process.stderr.write(`deployment-service: ${line}\n`);
