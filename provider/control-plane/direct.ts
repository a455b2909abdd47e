/**
 * Straight to the service, with what Node.js has itself. The library that knows proxies costs a process more than a quarter of
 * its memory, most of it for a parser in WebAssembly, so that it is loaded only for them.
 */
import * as http from "node:http";
import * as https from "node:https";
import type { RawResponse } from "./response";
import { largestAnswer, type Message, type Sender } from "./sender";

/** A connection that is idle for longer may be about to be closed by the service; milliseconds. */
const longestIdle = 4_000;
/** A service that is not connected to by then is not there; milliseconds. */
const longestConnect = 10_000;

/** Its code says what became of the request, as those of Node.js do. */
class TransportFailure extends Error {
  override readonly name = "TransportFailure";

  constructor(readonly code: "CONNECT_TIMEOUT" | "RESPONSE_TOO_LARGE") {
    super(code);
  }
}

export class DirectSender implements Sender {
  readonly #origin: URL;
  readonly #agent: http.Agent;

  constructor(origin: URL, maxConcurrency: number) {
    const options = { keepAlive: true, maxSockets: maxConcurrency, timeout: longestIdle };
    this.#origin = origin;
    this.#agent = this.#isSecure ? new https.Agent(options) : new http.Agent(options);
  }

  send(message: Message, signal: AbortSignal, answered: (status: number) => void): Promise<RawResponse> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const failed = (error: unknown) => reject((signal.aborted ? signal.reason : error) as Error);
      const request = this.#open(message, signal);
      request.on("error", failed);
      request.on("response", (response) => {
        const status = response.statusCode!;
        answered(status);
        textOf(response).then((text) => resolve({ status, headers: response.headers, text }), failed);
      });
      request.end(message.body);
    });
  }

  get #isSecure(): boolean {
    return this.#origin.protocol === "https:";
  }

  #open({ method, path, headers, body }: Message, signal: AbortSignal): http.ClientRequest {
    const { request } = this.#isSecure ? https : http;
    // Not of itself for every method.
    const length = body === undefined ? undefined : { "content-length": Buffer.byteLength(body) };
    const options = { method, path, headers: { ...headers, ...length }, signal, agent: this.#agent };
    const opened = request(this.#origin, options);
    opened.once("socket", (socket) => {
      if (!socket.connecting) return;
      const late = () => opened.destroy(new TransportFailure("CONNECT_TIMEOUT"));
      const timer = setTimeout(late, longestConnect);
      timer.unref();
      const end = () => clearTimeout(timer);
      socket.once(this.#isSecure ? "secureConnect" : "connect", end);
      opened.once("close", end);
    });
    return opened;
  }
}

async function textOf(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > largestAnswer) throw new TransportFailure("RESPONSE_TOO_LARGE");
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
