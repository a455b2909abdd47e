import type { Json } from "../json";
import type { LoggedRequest } from "./request-log";

/** What goes wrong, for which requests, and how often: `{ when: { method: "POST" }, times: 2, how: { status: 503 } }`. */
export interface Fault {
  /** All requests of the service where this is absent. */
  readonly when?: When;
  /** How many requests it hits, 1 unless said. */
  readonly times?: number | "always";
  readonly how: How;
}

export interface When {
  readonly method?: string;
  /** The beginning of the path, or a pattern for it. */
  readonly path?: string | RegExp;
  readonly body?: (body: Json | undefined) => boolean;
  readonly query?: (query: Readonly<Record<string, string>>) => boolean;
  /** The first matching request that is hit, counted from 1. */
  readonly nth?: number;
}

/**
 * One kind of failure each. The work of the request is not done, unless `after` says so; the kinds that
 * only spoil the delivery of the ordinary response (truncate, slowMs, drip, extraFields, dateAheadMs) always do it.
 */
export type How =
  | {
      readonly status: number;
      /** A text is sent as it is, anything else as JSON. */
      readonly body?: Json;
      readonly headers?: Readonly<Record<string, string>>;
      readonly contentType?: string;
      /** Seconds, or an HTTP date. */
      readonly retryAfter?: string;
      readonly after?: boolean;
    }
  /** The connection is cut before the work was done, or after it and without a response. */
  | { readonly reset: "before" | "after" }
  | { readonly hang: true; readonly work?: boolean }
  /** Half of the response, then the connection is cut. */
  | { readonly truncate: true }
  | { readonly html: true; readonly status?: number; readonly after?: boolean }
  | { readonly slowMs: number }
  | { readonly drip: true; readonly everyMs?: number }
  | { readonly redirect: string; readonly status?: number; readonly after?: boolean }
  | { readonly emptyBody: true; readonly status?: number; readonly after?: boolean }
  | { readonly wrongShape: true; readonly after?: boolean }
  /** So many bytes of valid JSON. */
  | { readonly hugeBody: number; readonly status?: number; readonly after?: boolean }
  | { readonly extraFields: true }
  /** The response's date is that far from the service's clock; negative is behind it. */
  | { readonly dateAheadMs: number };

export interface FaultHandle {
  readonly hits: number;
  /** Resolves when the fault is hit for the first time. */
  readonly firstHit: Promise<void>;
  cancel(): void;
}

interface Planned {
  readonly fault: Fault;
  matched: number;
  hits: number;
  readonly markFirst: () => void;
}

/** The faults in the order in which they were planned; the first that matches is used. */
export class Faults {
  #planned: Planned[] = [];

  plan(fault: Fault): FaultHandle {
    let markFirst = () => {};
    const firstHit = new Promise<void>((resolve) => (markFirst = resolve));
    const planned: Planned = { fault, matched: 0, hits: 0, markFirst };
    this.#planned.push(planned);
    return {
      get hits() {
        return planned.hits;
      },
      firstHit,
      cancel: () => {
        this.#planned = this.#planned.filter((other) => other !== planned);
      },
    };
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

  /** What was planned, with how often each was hit. */
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
  // A fresh copy, since a global pattern remembers where it stopped.
  if (path instanceof RegExp && !new RegExp(path.source, path.flags).test(request.path)) return false;
  if (body !== undefined && !body(request.body)) return false;
  return query === undefined || query(request.query);
}
