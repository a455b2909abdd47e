/**
 * What is used of undici. All of it is a hundred files more (fetch, WebSockets, caches), which take a process that sends its
 * first request five times as long to load.
 */
/* eslint-disable @typescript-eslint/no-require-imports -- what is loaded depends on what is there, and bundlers see it */
import type * as undici from "undici";

type Used = Pick<typeof undici, "EnvHttpProxyAgent" | "Pool">;

/** They are no public paths: where a version of undici has others, all of it is loaded. */
function parts(): Used | undefined {
  try {
    const Dispatcher = require("undici/lib/dispatcher/dispatcher.js") as typeof undici.Dispatcher;
    Object.assign(Dispatcher.prototype, require("undici/lib/api/index.js"));
    return {
      EnvHttpProxyAgent:
        require("undici/lib/dispatcher/env-http-proxy-agent.js") as Used["EnvHttpProxyAgent"],
      Pool: require("undici/lib/dispatcher/pool.js") as Used["Pool"],
    };
  } catch {
    return undefined;
  }
}

export const { EnvHttpProxyAgent, Pool } = parts() ?? (require("undici") as Used);
