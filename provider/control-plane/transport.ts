/** Sends one request, through the proxy that the environment configures. */
import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { proxyVariable } from "../settings/proxies";
import type { Settings } from "../settings/settings";
import { userAgent } from "../files/version";
import type { RawResponse } from "./response";
import { NotSentError, onSent, proxyClients, serviceClients } from "./connection";
import { loadUndici } from "./undici";
import { decoded, largestResponse } from "./content-encoding";

export interface ApiCall {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Whether sending the request twice has the same effect as sending it once. Only then is it retried after an ambiguous response. */
  readonly idempotent: boolean;
  /** Never retried, since the caller asks again soon or has another way. */
  readonly isOnce?: boolean;
}

type Headers = Readonly<Record<string, string>>;

/** Some gateways compress the response to a request that says nothing. */
const usualHeaders = { "user-agent": userAgent, "accept-encoding": "identity" };

type Request = Dispatcher.RequestOptions & {
  readonly origin: string;
  readonly headers?: Headers;
  readonly signal: AbortSignal;
};

export class Transport {
  readonly origin: string;
  readonly #prefix: string;
  readonly #dispatcher: Dispatcher;

  constructor({
    baseUrl,
    maxConcurrency,
    proxies,
  }: Pick<Settings, "baseUrl" | "maxConcurrency" | "proxies">) {
    const url = new URL(baseUrl);
    this.origin = url.origin;
    this.#prefix = url.pathname.replace(/(?<!\/)\/+$/, "");
    const { EnvHttpProxyAgent } = loadUndici();
    this.#dispatcher = new EnvHttpProxyAgent({
      maxResponseSize: largestResponse,
      connections: maxConcurrency,
      // The signal alone limits the time of a request.
      headersTimeout: 0,
      bodyTimeout: 0,
      factory: serviceClients,
      clientFactory: proxyClients(proxyVariable(url, proxies)),
      ...proxies,
    });
  }

  /** The full address of a path, for display. */
  addressOf(path: string): string {
    return `${this.origin}${this.#prefix}${path}`;
  }

  /** GETs another address, without the service's headers, and returns the status. */
  async probe(address: string, signal: AbortSignal): Promise<number> {
    const { statusCode, body } = await this.#request({ ...placeOf(new URL(address)), method: "GET", signal });
    // The body may be endless. Destroying it early raises an error on the stream, which does not matter.
    body.on("error", () => undefined).destroy();
    return statusCode;
  }

  /**
   * @param answered called with the status as soon as it is known
   * @param headers with the key or token
   */
  async send(
    request: ApiCall,
    signal: AbortSignal,
    answered: (status: number) => void,
    headers: Headers,
  ): Promise<RawResponse> {
    const hasBody = request.body !== undefined;
    const response = await this.#request({
      origin: this.origin,
      path: this.#prefix + request.path,
      method: request.method,
      ...(request.query && { query: { ...request.query } }),
      headers: {
        accept: "application/json",
        ...(hasBody && { "content-type": "application/json" }),
        ...headers,
      },
      ...(hasBody && { body: JSON.stringify(request.body) }),
      signal,
    });
    answered(response.statusCode);
    return readBody(response);
  }

  /** Does not send the service's headers, since they contain its key. Does not follow redirects. */
  async put(
    url: URL,
    headers: Headers,
    body: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<RawResponse> {
    const response = await this.#request({
      ...placeOf(url),
      method: "PUT",
      headers,
      body: Readable.from(body, { objectMode: false }),
      signal,
    });
    return readBody(response);
  }

  /** Throws a `NotSentError` if there was no connection. The library ignores the signal until there is one. */
  async #request({ headers, ...options }: Request): Promise<Dispatcher.ResponseData> {
    let isSent = false;
    const dispatcher = this.#dispatcher.compose(onSent(() => (isSent = true)));
    const { signal } = options;
    const endsUnsent = new Promise<never>((_, reject) => {
      const end = () => {
        if (!isSent) reject(new NotSentError(signal.reason));
      };
      if (signal.aborted) end();
      else signal.addEventListener("abort", end, { once: true });
    });
    try {
      return await Promise.race([
        dispatcher.request({ ...options, headers: { ...usualHeaders, ...headers } }),
        endsUnsent,
      ]);
    } catch (error) {
      throw isSent || error instanceof NotSentError ? error : new NotSentError(error);
    }
  }
}

function placeOf({ origin, pathname, search }: URL) {
  return { origin, path: pathname + search };
}

async function readBody(response: Pick<Dispatcher.ResponseData, "statusCode" | "headers" | "body">) {
  const { statusCode: status, headers, body } = response;
  const bytes = await decoded(await body.bytes(), headers["content-encoding"]);
  return typeof bytes === "string"
    ? { status, headers, text: "", undecoded: bytes }
    : { status, headers, text: new TextDecoder().decode(bytes) };
}
