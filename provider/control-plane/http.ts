/** Speaks JSON with one service, within the limits of an operation: timeouts, retries, rate limits, errors. */
import { longestTimer, type Clock } from "../time/clock";
import type { Dialect } from "../dialects";
import { formatDuration } from "../time/duration";
import { endingWith, withExtraTime, doneReason, type Limits } from "../time/limits";
import { sanitize } from "../text/sanitize";
import { redactor, type Redact } from "../text/redact";
import type { Settings } from "../settings/settings";
import { settingNamed } from "../settings/table";
import {
  readResponse,
  requestIdOf,
  type ParsedResponse,
  type CallFailure,
  type RawResponse,
} from "./response";
import { isHeld, notRetried, silence } from "../time/tries";
import { isAbort, transportError, withoutResponse, notSent } from "./transport-error";
import type { ProbeResult } from "../deployment/service";
import { ControlPlaneError } from "../errors";
import { RateLimit } from "./rate-limit";
import { withRetry } from "./retry";
import { type ApiCall, Transport, type TransportOptions } from "./transport";

type Limiting = Pick<Settings, "requestTimeout"> & Partial<Pick<Settings, "allowHttp">>;

export interface HttpOptions extends TransportOptions, Limiting {
  /** Headers with the key or token for the next request. */
  readonly authorize?: () => Promise<Readonly<Record<string, string>>>;
  /** The connection's credentials, which never appear in an error or a log. A new token is added to them. */
  readonly secrets: () => readonly string[];
  /** The address and where it comes from, for advice. */
  readonly place?: string | undefined;
  /** Advice for refusals whose text matches a pattern. */
  readonly advice: Dialect["advice"];
  /** What to check if the service refuses the key. */
  readonly apiKeyAdvice?: string;
  readonly clock: Clock;
  /** Receives one line per request. */
  readonly trace?: ((line: string) => void) | undefined;
  /** Reports waits of calls that belong to no operation. */
  readonly tell?: Limits["tell"] | undefined;
  /** Whether the first request fails at once if the service cannot be reached. */
  readonly failsFast?: boolean | undefined;
}

/** Sends requests within the limits of one operation. */
export type Send = (call: ApiCall) => Promise<ParsedResponse>;

/** A lookup has no timeout of its own, so it gets this many times the limit of one request. */
const requestsOfLookUp = 10;
/** How long a request may still be answered after its operation has timed out; milliseconds. */
const graceMs = 10_000;

/** The JSON API of one service. */
export class Http {
  readonly #options: HttpOptions;
  readonly transport: Transport;
  readonly clock: Clock;
  /** Whether http:// is accepted. */
  readonly allowsHttp: boolean;
  readonly #rateLimit: RateLimit;
  #hasAnswered = false;

  constructor(options: HttpOptions) {
    this.#options = options;
    this.transport = new Transport(options);
    this.clock = options.clock;
    this.allowsHttp = (options.allowHttp ?? false) || options.baseUrl.startsWith("http:");
    this.#rateLimit = new RateLimit(options.clock, options.maxConcurrency);
  }

  /** Removes the connection's own credentials from a text. */
  readonly withoutSecrets: Redact = (text) => redactor([], this.#options.secrets())(text);

  /** Sends a request. Throws a `ControlPlaneError` if the response is not a success, or if the limits end first. */
  async call(call: ApiCall, limits: Limits = this.ownLimits()): Promise<ParsedResponse> {
    const isPatient = this.#hasAnswered || !this.#options.failsFast;
    return withRetry(this.#options.clock, limits, { ...call, isPatient }, (last) =>
      this.#inTurn(call, limits, last),
    );
  }

  /** @param limits of the operation; without them, each call has the limits of a lookup */
  sender(limits?: Limits, isOnce?: boolean): Send {
    return (call) => this.call(isOnce ? { ...call, isOnce } : call, limits);
  }

  /** Limits for calls that belong to no operation. */
  ownLimits(): Limits {
    const { clock, requestTimeout, tell } = this.#options;
    const timeout = requestTimeout * requestsOfLookUp;
    const moreTime = `a longer ${settingNamed("requestTimeout")}`;
    return { deadline: clock.now() + timeout, timeout, moreTime, tell: tell ?? (() => undefined) };
  }

  /** Limits for optional requests. */
  limitsOfOneRequest(limits: Limits): Limits {
    const { clock, requestTimeout } = this.#options;
    return { ...limits, deadline: Math.min(limits.deadline, clock.now() + requestTimeout) };
  }

  /** Extended limits for finding out the outcome of a request, which is needed even if the operation has timed out. */
  limitsAfterDeadline(limits: Limits, answered?: AbortSignal): Limits {
    const { clock, requestTimeout } = this.#options;
    return withExtraTime(clock, limits, Math.min(requestTimeout, graceMs), answered);
  }

  /** Requests a deployment's own address. */
  async probe(address: string, signal: AbortSignal): Promise<ProbeResult> {
    const { clock, requestTimeout } = this.#options;
    const started = clock.now();
    const time = timer(requestTimeout, signal);
    let status: number | undefined;
    try {
      status = await this.transport.probe(address, time.signal);
      return { status };
    } catch (error) {
      return { problem: transportError(error, "the address", requestTimeout).message };
    } finally {
      time.stop();
      // The address may be a secret of the program.
      this.trace("GET (a deployment's own address)", status, started);
    }
  }

  /** Reports a request, without the connection's credentials. */
  trace(request: string, status: number | undefined, started: number, rest = ""): void {
    const time = Math.round(this.clock.now() - started);
    this.#options.trace?.(this.withoutSecrets(`${request} ${status ?? "-"} ${time}ms${rest}`));
  }

  /** @param last the error of the previous try */
  async #inTurn(call: ApiCall, limits: Limits, last: ControlPlaneError | undefined): Promise<ParsedResponse> {
    const refusal = last && isHeld(last) ? last : undefined;
    const result = await this.#rateLimit.run(limits, refusal, (sentAt) => this.#once(call, limits, sentAt));
    if (!("end" in result)) return result;
    throw last === undefined
      ? notSent(requestLine(call), limits, result)
      : notRetried(last, result.end, limits, result.wait);
  }

  async #once(call: ApiCall, limits: Limits, sentAt: number): Promise<ParsedResponse> {
    const { clock } = this;
    const authorization = (await this.#options.authorize?.()) ?? {};
    const started = clock.now();
    // Requests that change something may outlast the operation a little: only the response shows what they did.
    const answered = new AbortController();
    const { deadline, signal } =
      call.method === "GET" ? limits : this.limitsAfterDeadline(limits, answered.signal);
    const ms = Math.min(this.#options.requestTimeout, Math.max(0, deadline - started));
    const time = timer(ms, signal);
    const waiting = `waits ${formatDuration(ms)} at most for the response to ${requestLine(call)}`;
    clock.later(silence, time.signal, () => limits.tell(waiting));
    let status: number | undefined;
    try {
      const raw = await this.transport.send(call, time.signal, (known) => (status = known), authorization);
      const parsed = readResponse(raw, clock.now());
      this.#hasAnswered = true;
      if (!("problem" in parsed)) {
        this.#rateLimit.accepted(sentAt);
        return parsed;
      }
      const error = this.#error(call, parsed.problem, raw);
      if (isHeld(error)) throw this.#held(error, sentAt);
      // Like a success, any other failure ends a series of refusals for the rate limit.
      this.#rateLimit.accepted(sentAt);
      throw error;
    } catch (error) {
      if (error instanceof ControlPlaneError) throw error;
      throw this.#withoutResponse(call, limits, error, ms);
    } finally {
      time.stop();
      answered.abort(doneReason);
      this.trace(requestLine(call), status, started);
    }
  }

  /** Pauses the connection. Gives up if the service keeps refusing without saying for how long. */
  #held(error: ControlPlaneError, sentAt: number): ControlPlaneError {
    const { status, retryAfter } = error;
    this.#rateLimit.refused(sentAt, status!, retryAfter);
    const isFinal = retryAfter === undefined && this.#rateLimit.isHopeless;
    return error.with({ isFinal });
  }

  /** @param ms how long the request had */
  #withoutResponse(call: ApiCall, limits: Limits, error: unknown, ms: number): ControlPlaneError {
    const problem = transportError(error, this.transport.origin, ms);
    const isAmbiguous = problem.isAmbiguous && call.method !== "GET";
    if (isAbort(error) && limits.signal?.aborted)
      return withoutResponse(requestLine(call), "interrupted", limits, isAmbiguous);
    const isShort = problem.kind === "timeout" && ms < this.#options.requestTimeout;
    return isShort
      ? withoutResponse(requestLine(call), "out of time", limits, isAmbiguous)
      : this.#error(call, problem);
  }

  #error(call: ApiCall, problem: CallFailure, raw?: RawResponse): ControlPlaneError {
    const { message, serviceText = "", kind, isAmbiguous, retryAfter } = problem;
    const words = message + serviceText;
    const known = raw && this.#options.advice.find(({ pattern }) => new RegExp(pattern, "i").test(words));
    const requestId = raw && requestIdOf(raw);
    const id =
      requestId === undefined ? "" : ` (request id ${sanitize(this.withoutSecrets(requestId), 100)})`;
    const before = `${requestLine(call)} ${raw === undefined ? "" : "answered "}${message}`;
    const [from, to] = [before.length, before.length + serviceText.length];
    const error = new ControlPlaneError(before + serviceText + id, {
      serviceText: { text: serviceText, from, to },
      kind,
      request: requestLine(call),
      status: raw?.status,
      requestId,
      isAmbiguous: isAmbiguous && call.method !== "GET",
      isRestart: problem.isRestart,
      isFinal: problem.isFinal,
      retryAfter,
      place: this.#options.place,
      advice: problem.advice ?? known?.text ?? (raw?.status === 401 ? this.#options.apiKeyAdvice : undefined),
    });
    return error.redacted(this.withoutSecrets);
  }
}

/** A signal that aborts with the given one, or after a time in milliseconds. */
export function timer(ms: number, signal: AbortSignal | undefined) {
  const ended = endingWith(signal);
  const timeout = setTimeout(
    () => ended.abort(new DOMException("", "TimeoutError")),
    Math.min(ms, longestTimer),
  );
  timeout.unref();
  return {
    signal: ended.signal,
    /** Begins anew. */
    refresh: () => timeout.refresh(),
    stop: () => {
      clearTimeout(timeout);
      ended.abort(doneReason);
    },
  };
}

function requestLine({ method, path }: ApiCall): string {
  return `${method} ${path}`;
}
