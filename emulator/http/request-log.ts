import type { Json } from "../json";
import { parseJson, type Inbound } from "../service";

/** One request as it was received, and what became of it. */
export interface LoggedRequest {
  /** Time of arrival on the service's clock. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Credentials are replaced by `***`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed; the text where it is not JSON; undefined where there is none. Values of secrets are kept. */
  readonly body: Json | undefined;
  readonly requestId: string;
  /** A number once there is a response; before that, or instead of it, one of the words. */
  readonly status: number | "pending" | "hanging" | "reset";
  /** From arrival to the response. */
  readonly ms: number | undefined;
}

export interface OpenEntry {
  readonly request: LoggedRequest;
  finish(status: number | "hanging" | "reset"): void;
}

const credentials = new Set(["authorization", "proxy-authorization", "cookie"]);

/** Remembers requests in the order of their arrival. */
export class RequestLog {
  readonly requests: LoggedRequest[] = [];
  #inFlight = 0;
  #peak = 0;

  constructor(
    private readonly secretHeaders: readonly string[],
    private readonly onRequest: (request: LoggedRequest) => void,
  ) {}

  /** The most requests that were ever without a response at the same time. */
  get peakInFlight(): number {
    return this.#peak;
  }

  open(
    inbound: Omit<Inbound, "text" | "bytes">,
    at: number,
    requestId: string,
  ): OpenEntry & { body(text: string): void } {
    const started = performance.now();
    const request = {
      at,
      method: inbound.method,
      path: inbound.path,
      query: Object.fromEntries(inbound.query),
      headers: this.#redact(inbound.headers),
      body: undefined as Json | undefined,
      requestId,
      status: "pending" as LoggedRequest["status"],
      ms: undefined as number | undefined,
    };
    this.requests.push(request);
    this.#inFlight += 1;
    this.#peak = Math.max(this.#peak, this.#inFlight);
    return {
      request,
      body: (text) => {
        if (text !== "") request.body = parseJson(text) ?? text;
      },
      finish: (status) => {
        if (request.status !== "pending") return;
        request.status = status;
        request.ms = Math.round(performance.now() - started);
        this.#inFlight -= 1;
        this.onRequest(request);
      },
    };
  }

  lines(): string[] {
    return this.requests.map(({ method, path, status }) => `${method} ${path} ${status}`);
  }

  clear(): void {
    this.requests.length = 0;
    this.#peak = this.#inFlight;
  }

  #redact(headers: Inbound["headers"]): Record<string, string> {
    const hidden = new Set([...credentials, ...this.secretHeaders.map((name) => name.toLowerCase())]);
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, hidden.has(name) ? "***" : String(value)]),
    );
  }
}
