/** Connections whose failures can be told apart from those of requests: a request that was never sent has changed nothing. */
import type { Dispatcher, Pool, buildConnector } from "undici";
import { loadUndici } from "./undici";

/** The request was not sent, because there was no connection to send it on. */
export class NotSentError extends Error {
  override readonly name = "NotSentError";

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

export class ProxyConnectionError extends Error {
  override readonly name = "ProxyConnectionError";

  constructor(
    /** Without a user or password. */
    readonly proxy: string,
    /** The environment variable that names it. */
    readonly variable: string,
    cause: Error,
  ) {
    super(cause.message, { cause });
  }
}

/** How long a proxy may take to connect to the service; milliseconds. */
const longestTunnel = 30_000;

type Connector = buildConnector.connector;

/** Connections to proxies. The library's own errors do not show whether the proxy or the service was unreachable. */
export function proxyClients(variable: string) {
  return (proxy: URL, options: object): Pool => {
    const { connect } = options as { connect: Connector };
    const failing = failingWith(connect, (error) => new ProxyConnectionError(proxy.origin, variable, error));
    return new (loadUndici().Pool)(proxy.origin, {
      ...options,
      connect: failing,
      headersTimeout: longestTunnel,
    });
  };
}

/** Connections to the service. After some errors, the library would connect again at once, without an end. */
export function serviceClients(origin: string | URL, options: object): Pool {
  const { Pool, buildConnector } = loadUndici();
  const { connect = buildConnector({}) } = options as { connect?: Connector };
  return new Pool(origin, { ...options, connect: failingWith(connect, (error) => new NotSentError(error)) });
}

function failingWith(connect: Connector, toError: (error: Error) => Error): Connector {
  return (target, done) =>
    connect(target, (...[error, socket]: Parameters<buildConnector.Callback>) => {
      if (error !== null) return done(toError(error), null);
      // Otherwise, the library reports that the other side closed the connection, and not why.
      socket.once("error", (cause: Error) => socket.destroy(cause));
      done(null, socket);
    });
}

/** Calls back when a request is about to be written to a connection. */
export function onSent(sent: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart: (controller, context) => {
        sent();
        handler.onRequestStart?.(controller, context);
      },
      onResponseStart: (...response) => handler.onResponseStart?.(...response),
      onResponseData: (...data) => handler.onResponseData?.(...data),
      onResponseEnd: (...end) => handler.onResponseEnd?.(...end),
      onResponseError: (...error) => handler.onResponseError?.(...error),
    });
}
