/** The build and deploy logs of a revision, on a service that keeps them. */
import { WireLog } from "../../schema/wire";
import type { LogQuery } from "../deployment/service";
import type { Dialect } from "../dialects";
import type { Send } from "./http";
import { ControlPlaneError } from "../errors";
import { fetchParsed, parseResponse, pathTo } from "./parse";
import type { ApiCall } from "./transport";

export interface LogLine {
  /** ISO 8601, as the service reports it. */
  readonly timestamp: string | undefined;
  readonly level: string | undefined;
  readonly message: string;
}

export interface LogPage {
  readonly lines: readonly LogLine[];
  /** Offset of the next page; undefined if there is none yet. */
  readonly next: string | undefined;
}

/** How many of the newest lines show why a revision failed, or what a build does. */
const tailLength = 20;

export class Logs {
  /** Whether the service has only the older address; it stays so for the run. */
  #isOlder = false;

  constructor(private readonly dialect: Dialect) {}

  /** The newest lines, the newest last. Sends one request. */
  async tail(send: Send, query: LogQuery): Promise<LogLine[]> {
    const { lines } = await this.#ask(send, query, { order: "desc", limit: String(tailLength) });
    // A service that knows neither parameter returns the whole log, the oldest line first.
    const isAscending =
      lines.length > tailLength || (lines[0]?.timestamp ?? "") < (lines.at(-1)?.timestamp ?? "");
    return (isAscending ? [...lines] : [...lines].reverse()).slice(-tailLength);
  }

  /** One page of the log, the oldest line first. */
  page(send: Send, query: LogQuery, offset?: string): Promise<LogPage> {
    const first = { order: "asc", limit: "1000" };
    return this.#ask(send, query, offset === undefined ? first : { ...first, offset });
  }

  pathOf({ id, revisionId, type }: LogQuery): string {
    return pathTo(this.dialect.paths.revisionLog!, { id, revision_id: revisionId, type });
  }

  async #ask(send: Send, log: LogQuery, query: Query): Promise<LogPage> {
    const older = this.dialect.paths.olderRevisionLog;
    if (older !== undefined && this.#isOlder) return this.#older(send, older, log, query);
    try {
      return await this.#newer(send, log, query);
    } catch (error) {
      if (older === undefined || !isMissing(error)) throw error;
      const page = await this.#older(send, older, log, query).catch((other: unknown) => {
        throw isMissing(other) ? error : other;
      });
      this.#isOlder = true;
      return page;
    }
  }

  async #newer(send: Send, log: LogQuery, query: Query): Promise<LogPage> {
    const { pathname, searchParams } = new URL(this.pathOf(log), "http://localhost");
    const request = { path: pathname, query: { ...Object.fromEntries(searchParams), ...query } };
    return pageFrom(await fetchParsed(send, WireLog, request));
  }

  /** Reads, although it is a POST. */
  async #older(send: Send, template: string, log: LogQuery, { limit, ...query }: Query): Promise<LogPage> {
    const path = pathTo(template, { id: log.id, revision_id: log.revisionId, type: log.type });
    const call: ApiCall = {
      method: "POST",
      path,
      body: { ...query, limit: Number(limit) },
      idempotent: true,
    };
    const { body } = await send(call);
    return pageFrom(parseResponse(WireLog, Array.isArray(body) ? { logs: body } : body, call));
  }
}

type Query = Readonly<Record<string, string>>;

function isMissing(error: unknown): boolean {
  return error instanceof ControlPlaneError && [404, 405].includes(error.status ?? 0);
}

function pageFrom({ logs, next_offset: next }: WireLog): LogPage {
  return { lines: logs.map(lineOf), next: (next ?? "") === "" ? undefined : String(next) };
}

/** The format of a line is not documented: it is a string, or an object that contains one. */
function lineOf(entry: unknown): LogLine {
  if (typeof entry === "string") return { timestamp: undefined, level: undefined, message: entry };
  const fields = (typeof entry === "object" && entry !== null ? entry : {}) as Record<string, unknown>;
  const text = (...names: string[]) =>
    names.map((name) => fields[name]).find((value): value is string => typeof value === "string");
  return {
    timestamp: text("timestamp", "time") ?? isoTime(fields["timestamp"]),
    level: text("level", "severity"),
    message: text("message", "msg", "text") ?? JSON.stringify(entry),
  };
}

/** Some versions of the service return milliseconds since the epoch. */
function isoTime(time: unknown): string | undefined {
  const date = new Date(typeof time === "number" ? time : NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
