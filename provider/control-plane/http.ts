import { longestTimer, type Clock } from "../clock";
import type { Dialect } from "../dialects";
import { formatDuration } from "../duration";
import { endingWith, extended, within, type End, type Limits } from "../limits";
import { sanitize } from "../text/sanitize";
import { redactor, redactorOfOwnWords } from "../text/redact";
import { settingNamed } from "../settings-table";
import { textsIn } from "../values";
import { readResponse, requestIdOf, type ParsedResponse, type Problem, type RawResponse } from "./response";
import { isAbort, transportError, notAgain, withoutResponse, notSent } from "./transport-error";
import { ControlPlaneError, DeploymentError } from "../errors";
import { RateLimit, type Passage } from "./rate-limit";
import { isHeld, withRetry, silence } from "./retry";
import { Semaphore } from "./semaphore";
import { type Request, Transport, type TransportOptions } from "./transport";

export interface HttpOptions extends TransportOptions {
  /** Never appear in an error or a log. */
  readonly secrets: readonly string[];
  /** Milliseconds for one request, from sending it to the end of the response. */
  readonly requestTimeout: number;
  /** What a person can do about a refusal that says what the pattern says. */
  readonly advice: Dialect["advice"];
  readonly clock: Clock;
  /** Gets one line for each request. */
  readonly trace?: ((line: string) => void) | undefined;
  /** Says what is waited for, for calls that belong to no operation. */
  readonly tell?: Limits["tell"] | undefined;
}

export interface Call extends Request {
  /** Whether doing it twice is the same as doing it once. Only then it is repeated after an ambiguous response. */
  readonly idempotent: boolean;
  /** Never appear in an error of this call. */
  readonly secrets?: readonly string[];
  /** Tried once, since whoever asks comes again or has another way. */
  readonly isOnce?: boolean;
}

/** How many times the time of one request a look-up has, whose user can set no other time. */
const requestsOfLookUp = 10;
/** Once the time of an operation is over, this is how long what was sent may still be answered; milliseconds. */
const overtime = 10_000;

/** The time of one request. */
interface RequestTime {
  /** Milliseconds. */
  readonly ms: number;
  /** Ends the request. */
  readonly signal: AbortSignal;
  /** It has been answered. */
  readonly over: () => void;
}

/** Speaks JSON with one service: limits, timeouts, retries, errors. */
export class Http {
  readonly #options: HttpOptions;
  readonly #transport: Transport;
  readonly #places: Semaphore;
  readonly #gate: RateLimit;

  constructor(options: HttpOptions) {
    this.#options = options;
    this.#transport = new Transport(options);
    this.#places = new Semaphore(options.maxConcurrency);
    this.#gate = new RateLimit(options.clock);
  }

  /** Sends a request; throws a `ControlPlaneError` for any response that is not a success, and where the limits end first. */
  async call(call: Call, limits: Limits = this.ownLimits()): Promise<ParsedResponse> {
    return withRetry(this.#options.clock, limits, call, (last) => this.#inTurn(call, limits, last));
  }

  /** The limits of what belongs to no operation. */
  ownLimits(): Limits {
    const { clock, requestTimeout, tell } = this.#options;
    const timeout = requestTimeout * requestsOfLookUp;
    const moreTime = `a longer ${settingNamed("requestTimeout")}`;
    return { deadline: clock.now() + timeout, timeout, moreTime, tell: tell ?? (() => undefined) };
  }

  /** Limits for what can be done without. */
  briefly(limits: Limits): Limits {
    const { clock, requestTimeout } = this.#options;
    return { ...limits, deadline: Math.min(limits.deadline, clock.now() + requestTimeout) };
  }

  /** Limits for finding out what became of a request, which has to be known at the end of the time too. */
  overtime(limits: Limits, ended?: AbortSignal): Limits {
    const { clock, requestTimeout } = this.#options;
    return extended(clock, limits, Math.min(requestTimeout, overtime), ended);
  }

  /** In full, for a person. */
  addressOf(path: string): string {
    return this.#transport.addressOf(path);
  }

  /** What a service says, without what the connection itself keeps secret. */
  withoutSecrets(text: string): string {
    return redactor(this.#options.secrets)(text);
  }

  /** @param last the error of the try before this one */
  async #inTurn(call: Call, limits: Limits, last: ControlPlaneError | undefined): Promise<ParsedResponse> {
    const place = this.#places.take();
    const ended = (end: End, waitedFor: string, wait = 0) =>
      last === undefined
        ? notSent(nameOf(call), end, limits, { waitedFor, wait })
        : notAgain(last, end, limits, wait);
    try {
      const turn =
        place.turn && (await within(this.#options.clock, limits, place.turn, () => this.#queue(limits)));
      if (turn !== undefined && "end" in turn) throw ended(turn.end, "others were sent before it");
      const passage = await this.#gate.pass(limits);
      if ("end" in passage) {
        const reason = passage.wait > 0 ? this.#gate.reason : "the time was over";
        throw ended(passage.end, reason, passage.wait);
      }
      return await this.#once(call, limits, passage).finally(() => this.#gate.over(passage));
    } finally {
      place.release();
    }
  }

  #queue({ timeout }: Limits): string {
    return `waiting for its turn with ${this.#places.waiting} requests, of at most ${formatDuration(timeout)}`;
  }

  async #once(call: Call, limits: Limits, passage: Passage): Promise<ParsedResponse> {
    const { clock, trace } = this.#options;
    const started = clock.now();
    const time = this.#timeFor(call, limits);
    clock.later(silence, time.signal, () => limits.tell(slowly(call, time.ms)));
    let status: number | undefined;
    try {
      const raw = await this.#transport.send(call, time.signal, (known) => (status = known));
      const parsed = readResponse(raw, clock.now());
      const error = "problem" in parsed ? this.#error(call, parsed.problem, raw) : undefined;
      if (error !== undefined && isHeld(error)) this.#gate.close(passage, raw.status, error.retryAfter);
      else this.#gate.took(passage);
      if (error !== undefined) throw error;
      return parsed as ParsedResponse;
    } catch (error) {
      if (error instanceof ControlPlaneError) throw error;
      throw this.#withoutResponse(call, limits, error, time.ms);
    } finally {
      time.over();
      const line = `${nameOf(call)}${shownQuery(call)} ${status ?? "-"} ${Math.round(clock.now() - started)}ms`;
      trace?.(redactorOfOwnWords(this.#secretsOf(call))(line));
    }
  }

  /** What may change something is given a little more than the operation has: only its response says what was made. */
  #timeFor(call: Call, limits: Limits): RequestTime {
    const { clock, requestTimeout } = this.#options;
    const over = new AbortController();
    const { deadline, signal } = call.method === "GET" ? limits : this.overtime(limits, over.signal);
    const ms = Math.min(requestTimeout, Math.max(0, deadline - clock.now()));
    const ended = endingWith(signal);
    const timer = setTimeout(
      () => ended.abort(new DOMException("", "TimeoutError")),
      Math.min(ms, longestTimer),
    );
    timer.unref();
    return {
      ms,
      signal: ended.signal,
      over: () => {
        clearTimeout(timer);
        over.abort();
        ended.abort();
      },
    };
  }

  /** @param ms how long the request had */
  #withoutResponse(call: Call, limits: Limits, error: unknown, ms: number): ControlPlaneError {
    const problem = transportError(error, this.#transport.origin, ms);
    const isAmbiguous = call.method !== "GET";
    if (isAbort(error) && limits.signal?.aborted)
      return withoutResponse(nameOf(call), "interrupted", limits, isAmbiguous);
    const isShort = problem.kind === "timeout" && ms < this.#options.requestTimeout;
    return isShort
      ? withoutResponse(nameOf(call), "out of time", limits, isAmbiguous)
      : this.#error(call, problem);
  }

  #error(call: Call, problem: Problem, raw?: RawResponse): ControlPlaneError {
    const { message, serviceText = "", kind, isAmbiguous, retryAfter } = problem;
    const requestId = raw && requestIdOf(raw);
    const id = requestId === undefined ? "" : ` (request id ${sanitize(requestId, 100)})`;
    const text = `${nameOf(call)} ${raw === undefined ? "" : "answered "}${message}`;
    const at = text.lastIndexOf(serviceText);
    const secrets = this.#secretsOf(call);
    const own = redactorOfOwnWords(secrets);
    const open = textsIn(call.body).filter((sent) => !secrets.includes(sent));
    const [before, said, after] = [
      own(text.slice(0, at)),
      redactor(secrets, { open })(serviceText),
      own(text.slice(at + serviceText.length) + id),
    ];
    return new ControlPlaneError(before + said + after, {
      serviceText: { from: before.length, to: before.length + said.length },
      kind,
      request: nameOf(call),
      status: raw?.status,
      requestId,
      isAmbiguous: isAmbiguous && call.method !== "GET",
      retryAfter,
      advice: problem.advice ?? (raw && this.#adviceFor(message)),
    });
  }

  #adviceFor(message: string): string | undefined {
    return this.#options.advice.find(({ pattern }) => new RegExp(pattern, "i").test(message))?.text;
  }

  #secretsOf(call: Call): string[] {
    return [...this.#options.secrets, ...(call.secrets ?? [])];
  }
}

function slowly(call: Call, ms: number): string {
  return `waiting for the response to ${nameOf(call)}, for at most ${formatDuration(ms)}`;
}

function nameOf({ method, path }: Call): string {
  return `${method} ${path}`;
}

/** Texts are left out: a program may call the name of a deployment a secret. */
function shownQuery({ query }: Call): string {
  if (query === undefined) return "";
  const shown = Object.entries(query).map(
    ([name, value]) => `${name}=${isTelling.test(value) ? value : "…"}`,
  );
  return `?${shown.join("&")}`;
}

/** Numbers, words of the protocol and ids. */
const isTelling = /^(?:\d+|true|false|[\da-f]{8}-[-,\da-f]+)$/i;

/** A path with its places filled in, each escaped: `/v2/deployments/{id}`. */
export function pathTo(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => partOf(values[name] ?? ""));
}

function partOf(value: string): string {
  // No escape keeps these from being a step to another path.
  if (/^\.{0,2}$/.test(value)) throw new DeploymentError(`"${value}" cannot be an id`);
  return encodeURIComponent(value);
}
