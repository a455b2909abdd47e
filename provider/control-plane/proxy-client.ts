/** The connection to a proxy. The library's own errors do not show whether the proxy or the service was unreachable. */
import type { Pool, buildConnector } from "undici";
import { loadUndici } from "./undici";

export class ProxyConnectionError extends Error {
  override readonly name = "ProxyConnectionError";
  /** Scheme, host and port, without a user or password. */
  readonly proxy: string;

  constructor(
    { protocol, host }: URL,
    /** The environment variable that names the proxy. */
    readonly variable: string,
    cause: Error,
  ) {
    super(cause.message, { cause });
    this.proxy = `${protocol}//${host}`;
  }
}

export function proxyClients(variable: string) {
  return (proxy: URL, options: object): Pool => {
    const { connect } = options as { connect: buildConnector.connector };
    return new (loadUndici().Pool)(proxy.origin, {
      ...options,
      connect: (target, done) =>
        connect(target, (...[error, socket]: Parameters<buildConnector.Callback>) => {
          if (error === null) done(null, socket);
          else done(new ProxyConnectionError(proxy, variable, error), null);
        }),
    });
  };
}
