import { systemClock, type Clock } from "./clock";
import { Client } from "./control-plane/client";
import { Http } from "./control-plane/http";
import type { Settings } from "./settings";

export interface Connection {
  readonly settings: Settings;
  readonly client: Client;
  readonly clock: Clock;
}

/** What talks to one service with one key. Nothing is sent before it is used. */
export function connect(settings: Settings, clock: Clock = systemClock): Connection {
  const {
    baseUrl,
    apiKey,
    apiKeyFrom,
    tenantId,
    dialect,
    maxConcurrency,
    requestTimeout,
    pollInterval,
    serviceReposPath,
  } = settings;
  const http = new Http({
    baseUrl,
    headers: {
      [dialect.headers.apiKey]: apiKey,
      ...(tenantId !== undefined && { [dialect.headers.tenantId]: tenantId }),
    },
    secrets: [apiKey],
    requestTimeout,
    maxConcurrency,
    advice: [...dialect.advice, { pattern: "^401\\b", text: `Check the API key: ${apiKeyFrom}.` }],
    clock,
    trace: process.env["DEPLOYMENT_SERVICE_LOG"] === "debug" ? traceToStderr : undefined,
  });
  return { settings, clock, client: new Client({ http, dialect, clock, pollInterval, serviceReposPath }) };
}

function traceToStderr(line: string): void {
  process.stderr.write(`deployment-service: ${line}\n`);
}
