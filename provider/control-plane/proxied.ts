/** Over the proxies that the environment names. */
import { EnvHttpProxyAgent, type Dispatcher } from "undici";
import { proxyVariable, type Proxies } from "../proxies";
import { proxyClients } from "./proxy-client";
import type { RawResponse } from "./response";
import { largestAnswer, type Message, type Sender } from "./sender";

export class ProxiedSender implements Sender {
  readonly #origin: URL;
  readonly #dispatcher: Dispatcher;

  constructor(origin: URL, maxConcurrency: number, proxies: Proxies) {
    this.#origin = origin;
    this.#dispatcher = new EnvHttpProxyAgent({
      maxResponseSize: largestAnswer,
      connections: maxConcurrency,
      // A request has the time that its signal gives it, however long that is.
      headersTimeout: 0,
      bodyTimeout: 0,
      clientFactory: proxyClients(proxyVariable(origin, proxies)),
      ...proxies,
    });
  }

  async send(
    { method, path, headers, body: sent }: Message,
    signal: AbortSignal,
    answered: (status: number) => void,
  ): Promise<RawResponse> {
    const {
      statusCode,
      headers: received,
      body,
    } = await this.#dispatcher.request({
      origin: this.#origin.origin,
      path,
      method: method as Dispatcher.HttpMethod,
      headers: { ...headers },
      ...(sent !== undefined && { body: sent }),
      signal,
    });
    answered(statusCode);
    return { status: statusCode, headers: received, text: await body.text() };
  }
}
