/** Exchanges JSON with one service, within the limits of an operation: timeouts, retries, rate limits, errors. */
import { longestTimer, type Clock } from "../time/clock";
import { formatDuration } from "../time/duration";
import { endingWith, withExtraTime, doneReason, type Limits } from "../time/limits";
import { sanitize } from "../text/sanitize";
import { redactor, type Redact } from "../text/redact";
import { proxyCredentials } from "../settings/proxies";
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
import { isAbort, transportError, withoutResponse } from "./transport-error";
import type { ProbeResult } from "../deployment/service";
import { ControlPlaneError } from "../errors";
import { RateLimit } from "./rate-limit";
import { withRetry } from "./retry";
import { type ApiCall, Transport } from "./transport";

export interface HttpOptions {
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
  readonly transport: Transport;
  readonly clock: Clock;
  readonly #rateLimit: RateLimit;
  #hasAnswered = false;

  constructor(
    readonly settings: Settings,
    private readonly options: HttpOptions,
  ) {
    this.transport = new Transport(settings);
    this.clock = options.clock;
    this.#rateLimit = new RateLimit(options.clock, settings.maxConcurrency);
  }

  /** Removes the connection's own credentials from a text: all tokens that were ever sent, and those of a proxy. */
  readonly withoutSecrets: Redact = (text) => {
    const { apiKey, token, proxies } = this.settings;
    return redactor([], [apiKey, ...(token?.texts ?? []), ...proxyCredentials(proxies)])(text);
  };

  /** Sends a request. Throws a `ControlPlaneError` if the response is not a success, or if the limits end first. */
  async call(call: ApiCall, limits: Limits = this.ownLimits()): Promise<ParsedResponse> {
    const isPatient = this.#hasAnswered || !this.options.failsFast;
    return withRetry(this.clock, limits, { ...call, isPatient }, (last) => this.#inTurn(call, limits, last));
  }

  /** @param limits of the operation; without them, each call has the limits of a lookup */
  sender(limits?: Limits, isOnce?: boolean): Send {
    return (call) => this.call(isOnce ? { ...call, isOnce } : call, limits);
  }

  /** Limits for calls that belong to no operation. */
  ownLimits(): Limits {
    const timeout = this.settings.requestTimeout * requestsOfLookUp;
    const moreTime = `a longer ${settingNamed("requestTimeout")}`;
    const { tell = () => undefined } = this.options;
    return { deadline: this.clock.now() + timeout, timeout, moreTime, tell };
  }

  /** Limits for optional requests. */
  limitsOfOneRequest(limits: Limits): Limits {
    const deadline = Math.min(limits.deadline, this.clock.now() + this.settings.requestTimeout);
    return { ...limits, deadline };
  }

  /** Extended limits for finding out the outcome of a request, which is needed even if the operation has timed out. */
  limitsAfterDeadline(limits: Limits, answered?: AbortSignal): Limits {
    return withExtraTime(this.clock, limits, Math.min(this.settings.requestTimeout, graceMs), answered);
  }

  /** Requests a deployment's own address. */
  async probe(address: string, signal: AbortSignal): Promise<ProbeResult> {
    const { requestTimeout } = this.settings;
    const started = this.clock.now();
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
    this.options.trace?.(this.withoutSecrets(`${request} ${status ?? "-"} ${time}ms${rest}`));
  }

  /** @param last the error of the previous try */
  async #inTurn(call: ApiCall, limits: Limits, last: ControlPlaneError | undefined): Promise<ParsedResponse> {
    const refusal = last && isHeld(last) ? last : undefined;
    const result = await this.#rateLimit.run(limits, refusal, (sentAt) => this.#once(call, limits, sentAt));
    if (!("end" in result)) return result;
    throw last === undefined
      ? withoutResponse(requestLine(call), result.end, limits, { unsent: result.reason })
      : notRetried(last, result.end, limits, result.wait);
  }

  async #once(call: ApiCall, limits: Limits, sentAt: number): Promise<ParsedResponse> {
    const { clock } = this;
    const headers = await this.#headers();
    const started = clock.now();
    // Requests that change something may outlast the operation a little: only the response shows what they did.
    const answered = new AbortController();
    const { deadline, signal } =
      call.method === "GET" ? limits : this.limitsAfterDeadline(limits, answered.signal);
    const ms = Math.min(this.settings.requestTimeout, Math.max(0, deadline - started));
    const time = timer(ms, signal);
    const waiting = `waits ${formatDuration(ms)} at most for the response to ${requestLine(call)}`;
    clock.later(silence, time.signal, () => limits.tell(waiting));
    let status: number | undefined;
    try {
      const raw = await this.transport.send(call, time.signal, (known) => (status = known), headers);
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

  /** With the key, or the token of this moment. */
  async #headers(): Promise<Readonly<Record<string, string>>> {
    const { apiKey, token, tenantId, dialect } = this.settings;
    const { headers } = dialect;
    const key =
      token === undefined
        ? { [headers.apiKey]: apiKey }
        : { [headers.token]: `Bearer ${await token.current(this.clock.now())}` };
    return { ...key, ...(tenantId !== undefined && { [headers.tenantId]: tenantId }) };
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
      return withoutResponse(requestLine(call), "interrupted", limits, { isAmbiguous });
    const isShort = problem.kind === "timeout" && ms < this.settings.requestTimeout;
    return isShort
      ? withoutResponse(requestLine(call), "out of time", limits, { isAmbiguous })
      : this.#error(call, problem);
  }

  #error(call: ApiCall, problem: CallFailure, raw?: RawResponse): ControlPlaneError {
    const { message, serviceText = "", kind, isAmbiguous, retryAfter } = problem;
    const { baseUrl, dialect, origins, apiKeyAdvice } = this.settings;
    const words = message + serviceText;
    const known = raw && dialect.advice.find(({ pattern }) => new RegExp(pattern, "i").test(words));
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
      place: `${baseUrl} from ${origins.baseUrl?.text}`,
      advice: problem.advice ?? known?.text ?? (raw?.status === 401 ? apiKeyAdvice : undefined),
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
    /** Restarts the count. */
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
