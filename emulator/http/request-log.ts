import type { IncomingHttpHeaders } from "node:http";
import { parseJson, type Json } from "../json-values";
import type { Head } from "../routes/call";

/** A request as it arrived, and its outcome. */
export interface LoggedRequest {
  /** When it arrived, by the service's clock. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Credentials are replaced by `***`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed, or the text if it is not JSON; undefined if there is none. Contains the values of secrets. */
  readonly body: Json | undefined;
  readonly requestId: string;
  /** The status of the response, or why there is none. */
  readonly status: number | "pending" | "hanging" | "reset";
  /** From arrival to the response. */
  readonly ms: number | undefined;
}

export interface Entry {
  readonly request: LoggedRequest;
  body(text: string): void;
  finish(status: number | "hanging" | "reset"): void;
}

/** Keeps requests in the order in which they arrived. */
export class RequestLog {
  readonly requests: LoggedRequest[] = [];
  #inFlight = 0;
  #peak = 0;

  constructor(
    private readonly keyHeader: string,
    private readonly onRequest: (request: LoggedRequest) => void,
  ) {}

  /** The most requests that were waiting for a response at the same time. */
  get peakInFlight(): number {
    return this.#peak;
  }

  open({ method, path, query, headers }: Head, at: number, requestId: string): Entry {
    const started = performance.now();
    const request: { -readonly [Key in keyof LoggedRequest]: LoggedRequest[Key] } = {
      ...{ at, method, path, query: Object.fromEntries(query), headers: this.#redact(headers) },
      ...{ body: undefined, requestId, status: "pending", ms: undefined },
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

  #redact(headers: IncomingHttpHeaders): Record<string, string> {
    const hidden = ["authorization", "proxy-authorization", "cookie", this.keyHeader.toLowerCase()];
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, hidden.includes(name) ? "***" : String(value)]),
    );
  }
}
