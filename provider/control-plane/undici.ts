/** Loads the HTTP library when a connection is made, without its index: that also loads fetch, WebSocket and caches, which is slow. */
/* eslint-disable @typescript-eslint/no-require-imports -- a constructor cannot wait for an import */
import type * as Undici from "undici";

type Clients = Pick<typeof Undici, "EnvHttpProxyAgent" | "Pool" | "buildConnector">;

export function loadUndici(): Clients {
  try {
    const { prototype } = require("undici/lib/dispatcher/dispatcher") as typeof Undici.Dispatcher;
    // Its index does the same. The agent for proxies calls `connect`.
    Object.assign(prototype, require("undici/lib/api"));
    return {
      EnvHttpProxyAgent:
        require("undici/lib/dispatcher/env-http-proxy-agent") as typeof Undici.EnvHttpProxyAgent,
      Pool: require("undici/lib/dispatcher/pool") as typeof Undici.Pool,
      buildConnector: require("undici/lib/core/connect") as typeof Undici.buildConnector,
    };
  } catch {
    // A release may move these files.
    return require("undici") as Clients;
  }
}
