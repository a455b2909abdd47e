/** One request and its answer, over the proxy that the environment names. */
import { stringify } from "node:querystring";
import type { Proxies } from "../proxies";
import { userAgent } from "../version";
import { DirectSender } from "./direct";
import { ProxiedSender } from "./proxied";
import type { RawResponse } from "./response";
import type { Sender } from "./sender";

export interface Request {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface TransportOptions {
  /** Scheme, host and an optional path prefix. */
  readonly baseUrl: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly maxConcurrency: number;
  readonly proxies?: Proxies | undefined;
}

export class Transport {
  readonly origin: string;
  readonly #prefix: string;
  readonly #headers: TransportOptions["headers"];
  readonly #sender: Sender;

  constructor({ baseUrl, headers, maxConcurrency, proxies = {} }: TransportOptions) {
    const url = new URL(baseUrl);
    this.origin = url.origin;
    this.#prefix = url.pathname.replace(/\/+$/, "");
    this.#headers = headers;
    const origin = new URL(url.origin);
    this.#sender =
      Object.keys(proxies).length > 0
        ? new ProxiedSender(origin, maxConcurrency, proxies)
        : new DirectSender(origin, maxConcurrency);
  }

  /** In full, for a person. */
  addressOf(path: string): string {
    return `${this.origin}${this.#prefix}${path}`;
  }

  /** @param answered is told the status as soon as it is known */
  async send(
    { method, path, query, body }: Request,
    signal: AbortSignal,
    answered: (status: number) => void,
  ): Promise<RawResponse> {
    const message = {
      method,
      path: `${this.#prefix}${path}${query === undefined ? "" : `?${stringify(query)}`}`,
      headers: {
        accept: "application/json",
        "user-agent": userAgent,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...this.#headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    };
    return this.#sender.send(message, signal, answered);
  }
}
