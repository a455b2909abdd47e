import type { Json } from "../json-values";
import type { LoggedRequest } from "./request-log";

/** What goes wrong, for which requests, and how often: `{ when: { method: "POST" }, times: 2, how: { status: 503 } }`. */
export interface Fault {
  /** Default: every request to the service. */
  readonly when?: When;
  /** How many requests fail. Default: 1. */
  readonly times?: number | "always";
  readonly how: How;
}

export interface When {
  readonly method?: string;
  /** How the path begins, or a pattern for it. */
  readonly path?: string | RegExp;
  readonly body?: (body: Json | undefined) => boolean;
  readonly query?: (query: Readonly<Record<string, string>>) => boolean;
  /** The first matching request that fails, counted from 1. */
  readonly nth?: number;
}

/**
 * One kind of failure. The service does the work of the request only if `after` says so, or if the fault changes nothing but
 * how the ordinary response is delivered (truncate, slowMs, compressed, extraFields, dateAheadMs).
 */
export type How =
  | ({
      readonly status: number;
      /** Text is sent as it is, anything else as JSON. */
      readonly body?: Json;
      readonly headers?: Readonly<Record<string, string>>;
      readonly contentType?: string;
      /** Seconds, or an HTTP date. */
      readonly retryAfter?: string;
    } & Timing)
  /** The connection is cut before or after the work, without a response. */
  | { readonly reset: "before" | "after" }
  | { readonly hang: true; readonly work?: boolean }
  /** Half of the response, then the connection is cut. */
  | { readonly truncate: true }
  | ({ readonly html: true; readonly status?: number } & Timing)
  | { readonly slowMs: number }
  | ({ readonly redirect: string; readonly status?: number } & Timing)
  | ({ readonly emptyBody: true; readonly status?: number } & Timing)
  | ({ readonly wrongShape: true } & Timing)
  /** In this encoding, though the request asks for none: `gzip`, `deflate`, `br`, or another name in the header alone. */
  | { readonly compressed: string }
  | { readonly extraFields: true }
  /** How far the response's date is ahead of the service's clock; negative means behind. */
  | { readonly dateAheadMs: number };

interface Timing {
  /** The fault happens after the service has done the work. */
  readonly after?: boolean;
}

export interface FaultHandle {
  readonly hits: number;
  /** Resolves at the first request that fails. */
  readonly firstHit: Promise<void>;
  cancel(): void;
}

interface Planned extends FaultHandle {
  readonly fault: Fault;
  matched: number;
  hits: number;
  readonly markFirst: () => void;
}

/** Planned faults in order; the first one that matches a request is used. */
export class Faults {
  #planned: Planned[] = [];

  plan(fault: Fault): FaultHandle {
    let markFirst = () => {};
    const firstHit = new Promise<void>((resolve) => (markFirst = resolve));
    const cancel = () => {
      this.#planned = this.#planned.filter((other) => other !== planned);
    };
    const planned: Planned = { fault, matched: 0, hits: 0, firstHit, markFirst, cancel };
    this.#planned.push(planned);
    return planned;
  }

  take(request: LoggedRequest): How | undefined {
    for (const planned of this.#planned) {
      const { when = {}, times = 1, how } = planned.fault;
      if (times !== "always" && planned.hits >= times) continue;
      if (!matches(when, request)) continue;
      planned.matched += 1;
      if (planned.matched < (when.nth ?? 1)) continue;
      planned.hits += 1;
      planned.markFirst();
      return how;
    }
    return undefined;
  }

  list(): { fault: Fault; hits: number }[] {
    return this.#planned.map(({ fault, hits }) => ({ fault, hits }));
  }

  clear(): void {
    this.#planned = [];
  }
}

function matches({ method, path, body, query }: When, request: LoggedRequest): boolean {
  if (method !== undefined && method.toUpperCase() !== request.method) return false;
  if (typeof path === "string" && !request.path.startsWith(path)) return false;
  // A copy, because a global pattern remembers where it stopped.
  if (path instanceof RegExp && !new RegExp(path.source, path.flags).test(request.path)) return false;
  if (body !== undefined && !body(request.body)) return false;
  return query === undefined || query(request.query);
}
