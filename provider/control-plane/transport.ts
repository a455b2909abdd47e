/** One request and its response, over the proxy that the environment names. */
import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { proxyVariable, type Proxies } from "../settings/proxies";
import { userAgent } from "../version";
import type { RawResponse } from "./response";
import { proxyClients } from "./proxy-client";
import { loadUndici } from "./undici";

export interface Request {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Bytes for an address of somebody else's. */
export interface Put {
  readonly headers: Readonly<Record<string, string>>;
  /** How many bytes. */
  readonly size: number;
  readonly body: AsyncIterable<Uint8Array>;
}

export interface TransportOptions {
  /** Scheme, host and an optional path prefix. */
  readonly baseUrl: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly maxConcurrency: number;
  readonly proxies?: Proxies | undefined;
}

const largestResponse = 64 * 1024 * 1024;

export class Transport {
  readonly origin: string;
  readonly #prefix: string;
  readonly #headers: TransportOptions["headers"];
  readonly #dispatcher: Dispatcher;

  constructor({ baseUrl, headers, maxConcurrency, proxies }: TransportOptions) {
    const url = new URL(baseUrl);
    this.origin = url.origin;
    this.#prefix = url.pathname.replace(/\/+$/, "");
    this.#headers = headers;
    const { EnvHttpProxyAgent } = loadUndici();
    this.#dispatcher = new EnvHttpProxyAgent({
      maxResponseSize: largestResponse,
      connections: maxConcurrency,
      // A request has the time that its signal gives it, however long that is.
      headersTimeout: 0,
      bodyTimeout: 0,
      clientFactory: proxyClients(proxyVariable(url, proxies)),
      ...proxies,
    });
  }

  /** In full, for a person. */
  addressOf(path: string): string {
    return `${this.origin}${this.#prefix}${path}`;
  }

  /** The status of another address, asked without the headers of the service. */
  async probe(address: string, signal: AbortSignal): Promise<number> {
    const { origin, pathname, search } = new URL(address);
    const headers = { "user-agent": userAgent };
    const { statusCode, body } = await this.#dispatcher.request({
      origin,
      path: pathname + search,
      method: "GET",
      headers,
      signal,
    });
    // It may have no end. Ending it early is an error of the stream, which nobody needs to know.
    body.on("error", () => undefined).destroy();
    return statusCode;
  }

  /** @param answered is told the status as soon as it is known */
  async send(
    request: Request,
    signal: AbortSignal,
    answered: (status: number) => void,
  ): Promise<RawResponse> {
    const hasBody = request.body !== undefined;
    const { statusCode, headers, body } = await this.#dispatcher.request({
      origin: this.origin,
      path: this.#prefix + request.path,
      method: request.method,
      ...(request.query && { query: { ...request.query } }),
      headers: {
        accept: "application/json",
        "user-agent": userAgent,
        ...(hasBody && { "content-type": "application/json" }),
        ...this.#headers,
      },
      ...(hasBody && { body: JSON.stringify(request.body) }),
      signal,
    });
    answered(statusCode);
    return { status: statusCode, headers, text: await body.text() };
  }

  /** Without the headers of the service: its key is nobody else's. Redirects are not followed. */
  async put(url: URL, { headers, size, body }: Put, signal: AbortSignal): Promise<RawResponse> {
    const response = await this.#dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: "PUT",
      headers: { "user-agent": userAgent, ...headers, "content-length": String(size) },
      body: Readable.from(body, { objectMode: false }),
      signal,
    });
    return { status: response.statusCode, headers: response.headers, text: await response.body.text() };
  }
}
