import { EnvHttpProxyAgent, type Dispatcher } from "undici";
import type { Clock } from "../clock";
import { presentable, redact } from "../redaction";
import { ControlPlaneError, type ErrorDetails, type ErrorKind } from "./errors";
import { withRetry } from "./retry";
import { Semaphore } from "./semaphore";

export interface HttpOptions {
  /** Scheme, host and an optional path prefix. */
  readonly baseUrl: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Never appear in an error or a log. */
  readonly secrets: readonly string[];
  /** Milliseconds for one request, from sending it to the end of the answer. */
  readonly requestTimeout: number;
  readonly maxConcurrency: number;
  readonly clock: Clock;
  /** Gets one line for each request. */
  readonly trace?: ((line: string) => void) | undefined;
}

export interface Call {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Whether doing it twice is the same as doing it once. Only then it is repeated after a doubtful answer. */
  readonly repeatable: boolean;
  /** Never appear in an error of this call. */
  readonly secrets?: readonly string[];
}

export interface Answer {
  readonly body: unknown;
  /** The service's clock at the time of the answer, in milliseconds since the epoch. */
  readonly serverTime: number | undefined;
}

const largestAnswer = 64 * 1024 * 1024;
/** A wait that the service asks for beyond this is an outage, and the user is told so. */
const longestRetryAfter = 10 * 60_000;

/** Speaks JSON with one service: limits, timeouts, retries, errors. */
export class Http {
  readonly #options: HttpOptions;
  readonly #dispatcher: Dispatcher;
  readonly #places: Semaphore;
  readonly #origin: string;
  readonly #prefix: string;

  constructor(options: HttpOptions) {
    this.#options = options;
    this.#places = new Semaphore(options.maxConcurrency);
    const url = new URL(options.baseUrl);
    this.#origin = url.origin;
    this.#prefix = url.pathname.replace(/\/+$/, "");
    this.#dispatcher = new EnvHttpProxyAgent({
      maxResponseSize: largestAnswer,
      connections: options.maxConcurrency,
    });
  }

  /** Sends a request; throws a `ControlPlaneError` for any answer that is not a success. */
  async call(call: Call): Promise<Answer> {
    return withRetry(this.#options.clock, call, () => this.#places.run(() => this.#once(call)));
  }

  async #once(call: Call): Promise<Answer> {
    const { clock, trace } = this.#options;
    const request = `${call.method} ${call.path}`;
    const started = clock.now();
    let status: number | undefined;
    try {
      const response = await this.#send(call);
      status = response.statusCode;
      const text = await response.body.text();
      return this.#read(call, request, response, text);
    } catch (error) {
      throw error instanceof ControlPlaneError ? error : this.#connectionError(call, request, error);
    } finally {
      const query = call.query ? `?${new URLSearchParams(call.query)}` : "";
      trace?.(
        this.#redact(call, `${request}${query} ${status ?? "-"} ${Math.round(clock.now() - started)}ms`),
      );
    }
  }

  #send(call: Call): Promise<Dispatcher.ResponseData> {
    const { headers, requestTimeout } = this.#options;
    const hasBody = call.body !== undefined;
    return this.#dispatcher.request({
      origin: this.#origin,
      path: this.#prefix + call.path,
      method: call.method,
      ...(call.query && { query: { ...call.query } }),
      headers: {
        accept: "application/json",
        "user-agent": "pulumi-deployment-service",
        ...(hasBody && { "content-type": "application/json" }),
        ...headers,
      },
      ...(hasBody && { body: JSON.stringify(call.body) }),
      signal: AbortSignal.timeout(requestTimeout),
    });
  }

  #read(call: Call, request: string, response: Dispatcher.ResponseData, text: string): Answer {
    const { statusCode: status, headers } = response;
    const requestId = headerOf(headers, "x-request-id");
    const fail = (message: string, details: Omit<ErrorDetails, "request" | "status" | "requestId">) => {
      const id = requestId === undefined ? "" : ` (request id ${presentable(requestId, 100)})`;
      return new ControlPlaneError(`${this.#redact(call, `${request} answered ${message}`)}${id}`, {
        request,
        status,
        requestId,
        ...details,
      });
    };
    const isJson = /\bjson\b/i.test(headerOf(headers, "content-type") ?? "");
    const json = parseJson(text);

    if (status >= 200 && status < 300) {
      if (text === "") return { body: undefined, serverTime: serverTime(headers) };
      if (json !== undefined) return { body: json.value, serverTime: serverTime(headers) };
      if (isJson)
        throw fail(`${status} with JSON that ends too early or is damaged`, doubtful("unreadable", call));
      throw fail(
        `${status} with something that is not JSON: ${presentable(text, 120)}`,
        doubtful("foreign", call),
      );
    }
    if (status < 400) {
      const target = headerOf(headers, "location") ?? "nowhere";
      throw fail(`${status}, a redirect to ${presentable(target, 200)}`, {
        kind: "redirected",
        maybeDone: false,
      });
    }
    const detail = (json === undefined ? presentable(text) : detailOf(json.value)).replace(/\.$/, "");
    const message = `${status} ${reasons[status] ?? ""}`.trimEnd() + (detail === "" ? "" : `: ${detail}`);
    const kind = kindOf(status);
    if (kind === "not-found" && /html/i.test(headerOf(headers, "content-type") ?? "")) {
      throw fail(message, { kind: "foreign", maybeDone: false });
    }
    const retryAfter = retryAfterOf(headers, serverTime(headers) ?? this.#options.clock.now());
    if (retryAfter !== undefined && retryAfter > longestRetryAfter) {
      throw fail(`${message}; it asks to wait ${Math.round(retryAfter / 60_000)} minutes`, {
        kind: "rate-limited",
        maybeDone: false,
        retryAfter: undefined,
      });
    }
    // A refusal that says when to come back was made before any work.
    const refused = kind !== "unavailable" || (status === 503 && retryAfter !== undefined);
    throw fail(message, { kind, maybeDone: !refused && call.method !== "GET", retryAfter });
  }

  #connectionError(call: Call, request: string, cause: unknown): ControlPlaneError {
    const code = codeOf(cause);
    const fail = (text: string, kind: ErrorKind, maybeDone: boolean) =>
      new ControlPlaneError(this.#redact(call, `${request} ${text}`), {
        kind,
        request,
        maybeDone: maybeDone && call.method !== "GET",
      });
    if (isTimeout(cause)) {
      return fail(`got no answer within ${this.#options.requestTimeout / 1000}s`, "timeout", true);
    }
    if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_/.test(code)) {
      return fail(`refused the certificate of ${this.#origin} (${code})`, "untrusted", false);
    }
    if (code === "UND_ERR_RES_EXCEEDED_MAX_SIZE")
      return fail("got an answer that is too large", "foreign", true);
    if (neverSent.has(code)) return fail(`could not reach ${this.#origin} (${code})`, "unreachable", false);
    return fail(`lost the connection to ${this.#origin} (${code})`, "unreachable", true);
  }

  #redact(call: Call, text: string): string {
    return redact(text, [...this.#options.secrets, ...(call.secrets ?? [])]);
  }
}

const neverSent = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

function doubtful(kind: ErrorKind, call: Call) {
  return { kind, maybeDone: call.method !== "GET" };
}

function kindOf(status: number): ErrorKind {
  switch (status) {
    case 401:
      return "unauthorized";
    case 403:
      return "forbidden";
    case 404:
    case 410:
      return "not-found";
    case 409:
      return "conflict";
    case 429:
      return "rate-limited";
    case 408:
      return "unavailable";
    default:
      return status >= 500 ? "unavailable" : "invalid";
  }
}

const reasons: Record<number, string> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  409: "Conflict",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

/** The service's own words. The list form also carries the input; that part is left out, as it may be a secret. */
function detailOf(body: unknown): string {
  if (typeof body === "string") return presentable(body);
  if (body === null || typeof body !== "object") return "";
  const { detail, message, error } = body as Record<string, unknown>;
  const said = detail ?? message ?? error;
  if (Array.isArray(said)) return presentable(said.map(validationProblem).join("; "));
  return said === undefined ? "" : detailOf(said);
}

function validationProblem(item: unknown): string {
  const { loc, msg } = (item ?? {}) as { loc?: unknown; msg?: unknown };
  const place = Array.isArray(loc) ? loc.filter((part) => part !== "body").join(".") : "";
  return [place, typeof msg === "string" ? msg : "is invalid"].filter(Boolean).join(": ");
}

function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

function headerOf(headers: Dispatcher.ResponseData["headers"], name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function serverTime(headers: Dispatcher.ResponseData["headers"]): number | undefined {
  const time = Date.parse(headerOf(headers, "date") ?? "");
  return Number.isNaN(time) ? undefined : time;
}

/** `Retry-After` in both of its forms, as milliseconds from now. */
function retryAfterOf(headers: Dispatcher.ResponseData["headers"], now: number): number | undefined {
  const value = headerOf(headers, "retry-after")?.trim();
  if (value === undefined || value === "") return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function codeOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code } = at as { code?: unknown };
    if (typeof code === "string") return code;
    if (at instanceof AggregateError && at.errors.length > 0) return codeOf(at.errors[0]);
  }
  return "connection closed";
}

function isTimeout(error: unknown): boolean {
  return (
    error instanceof Error && (error.name === "TimeoutError" || codeOf(error) === "UND_ERR_HEADERS_TIMEOUT")
  );
}
