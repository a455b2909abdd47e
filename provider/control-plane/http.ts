import { EnvHttpProxyAgent, type Dispatcher } from "undici";
import { longestTimer, type Clock } from "../clock";
import type { Dialect } from "../dialects";
import { presentable } from "../presentable";
import { redactor, redactorOfOwnWords } from "../redaction";
import { readAnswer, requestIdOf, type Answer, type Problem, type RawAnswer } from "./answer";
import { ControlPlaneError } from "./errors";
import { noAnswer } from "./no-answer";
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
  /** What a person can do about a refusal that says what the pattern says. */
  readonly advice: Dialect["advice"];
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

const largestAnswer = 64 * 1024 * 1024;
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

  /** In full, for a person. */
  addressOf(path: string): string {
    return `${this.#origin}${this.#prefix}${path}`;
  }

  async #once(call: Call): Promise<Answer> {
    const { clock, trace, requestTimeout } = this.#options;
    const started = clock.now();
    let status: number | undefined;
    try {
      const response = await this.#send(call);
      status = response.statusCode;
      const raw = { status, headers: response.headers, text: await response.body.text() };
      const answer = readAnswer(raw, clock.now());
      if ("problem" in answer) throw this.#error(call, answer.problem, raw);
      return answer;
    } catch (error) {
      if (error instanceof ControlPlaneError) throw error;
      throw this.#error(call, noAnswer(error, this.#origin, requestTimeout));
    } finally {
      const query = call.query ? `?${new URLSearchParams(call.query)}` : "";
      const line = `${nameOf(call)}${query} ${status ?? "-"} ${Math.round(clock.now() - started)}ms`;
      trace?.(redactorOfOwnWords(this.#secretsOf(call))(line));
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
      signal: AbortSignal.timeout(Math.min(requestTimeout, longestTimer)),
    });
  }

  #error(call: Call, problem: Problem, raw?: RawAnswer): ControlPlaneError {
    const { message, words = "", kind, isDoubtful, retryAfter } = problem;
    const requestId = raw && requestIdOf(raw);
    const id = requestId === undefined ? "" : ` (request id ${presentable(requestId, 100)})`;
    const text = `${nameOf(call)} ${raw === undefined ? "" : "answered "}${message}`;
    const at = text.lastIndexOf(words);
    const secrets = this.#secretsOf(call);
    const own = redactorOfOwnWords(secrets);
    const [before, said, after] = [
      own(text.slice(0, at)),
      redactor(secrets)(words),
      own(text.slice(at + words.length) + id),
    ];
    return new ControlPlaneError(before + said + after, {
      words: { from: before.length, to: before.length + said.length },
      kind,
      request: nameOf(call),
      status: raw?.status,
      requestId,
      maybeDone: isDoubtful && call.method !== "GET",
      retryAfter,
      advice: raw && this.#options.advice.find(({ pattern }) => new RegExp(pattern, "i").test(message))?.text,
    });
  }

  #secretsOf(call: Call): string[] {
    return [...this.#options.secrets, ...(call.secrets ?? [])];
  }
}

function nameOf({ method, path }: Call): string {
  return `${method} ${path}`;
}
