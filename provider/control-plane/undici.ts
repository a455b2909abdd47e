/**
 * What is used of undici. All of it is a hundred files more (fetch, WebSockets, caches), which take a process that sends its
 * first request five times as long to load.
 */
import { createRequire } from "node:module";
import type * as undici from "undici";

type Used = Pick<typeof undici, "EnvHttpProxyAgent" | "Pool">;

const load = createRequire(__filename);

/** They are no public paths: where a version of undici has others, all of it is loaded. */
function parts(): Used | undefined {
  try {
    const part = (name: string): unknown => load(`undici/lib/${name}.js`);
    const Dispatcher = part("dispatcher/dispatcher") as typeof undici.Dispatcher;
    Object.assign(Dispatcher.prototype, part("api/index"));
    return {
      EnvHttpProxyAgent: part("dispatcher/env-http-proxy-agent") as Used["EnvHttpProxyAgent"],
      Pool: part("dispatcher/pool") as Used["Pool"],
    };
  } catch {
    return undefined;
  }
}

export const { EnvHttpProxyAgent, Pool } = parts() ?? (load("undici") as Used);
