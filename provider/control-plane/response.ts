/** Interprets an HTTP response: parsed JSON, or a failure. */
import { STATUS_CODES } from "node:http";
import { parseJson } from "../text/json";
import type { ErrorDetails, ErrorKind } from "../errors";
import { errorWords } from "./error-words";

export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Empty if the body cannot be read. */
  readonly text: string;
  /** The name of the encoding, if the body cannot be unpacked. */
  readonly undecoded?: string | undefined;
}

export interface ParsedResponse {
  readonly body: unknown;
  /** The service's clock at the time of the response, in milliseconds since the epoch. */
  readonly serverTime: number | undefined;
}

/** Why a call failed. */
export interface CallFailure extends Pick<
  ErrorDetails,
  "kind" | "isAmbiguous" | "isRestart" | "isFinal" | "retryAfter" | "advice"
> {
  /** The message, up to what the other side wrote. */
  readonly message: string;
  /** What the other side wrote, in full: it follows the message, and is truncated after redaction. */
  readonly serviceText?: string | undefined;
}

type Words = Pick<CallFailure, "message"> & { readonly serviceText: string };

/** @param now the local time, for a service that does not send its own */
export function readResponse(
  raw: RawResponse,
  now: number,
): ParsedResponse | { readonly problem: CallFailure } {
  if (raw.status >= 400) return { problem: refusal(raw, now) };
  if (raw.status >= 300) {
    const message = `${raw.status}, a redirect to `;
    const serviceText = headerOf(raw, "location") ?? "nowhere";
    return { problem: { message, serviceText, kind: "redirected", isAmbiguous: false } };
  }
  const serverTime = serverTimeOf(raw);
  if (raw.text === "" && raw.undecoded === undefined) return { body: undefined, serverTime };
  const json = parseJson(raw.text);
  return json === undefined ? { problem: unreadable(raw) } : { body: json, serverTime };
}

export function requestIdOf(raw: RawResponse): string | undefined {
  return headerOf(raw, "x-request-id");
}

/** The name of the encoding follows. */
const undecodableText = "with a response that is damaged, too large or in an encoding that cannot be read: ";

const uncompressed =
  "Requests ask for responses without compression. Configure the proxy or gateway in between so that it does not compress them, or " +
  "only with gzip, br or deflate.";

function unreadable(raw: RawResponse): CallFailure {
  if (raw.undecoded !== undefined) {
    const message = `${raw.status} ${undecodableText}`;
    return {
      message,
      serviceText: raw.undecoded,
      kind: "unreadable",
      isAmbiguous: true,
      advice: uncompressed,
    };
  }
  // Anything that begins like JSON may contain secrets, including unknown ones, so it is not quoted.
  if (/\bjson\b/i.test(headerOf(raw, "content-type") ?? "") || /^\s*[[{]/.test(raw.text)) {
    const message = `${raw.status} with JSON that is truncated or damaged`;
    return { message, kind: "unreadable", isAmbiguous: true };
  }
  const { message, serviceText } = pageIn(raw) ?? {
    message: "something that is not JSON: ",
    serviceText: raw.text.trim(),
  };
  return { message: `${raw.status} with ${message}`, serviceText, kind: "foreign", isAmbiguous: true };
}

function refusal(raw: RawResponse, now: number): CallFailure {
  const { message: detail, serviceText } = reasonIn(raw);
  const isSilent = detail + serviceText === "";
  const message = statusText(raw.status) + (isSilent ? "" : `: ${detail}`);
  const kind = errorKindOf(raw);
  const retryAfter = retryAfterOf(raw, serverTimeOf(raw) ?? now);
  // Even with a `Retry-After`: a gateway may have sent it although the service behind it did the work.
  const isAmbiguous = kind === "unavailable";
  return { message, serviceText, kind, isAmbiguous, retryAfter, isRestart: isGatewayStatus(raw.status) };
}

/** What a refusal says. */
function reasonIn(raw: RawResponse): Words {
  if (raw.undecoded !== undefined) return { message: undecodableText, serviceText: raw.undecoded };
  const page = pageIn(raw);
  if (page !== undefined) return page;
  const json = parseJson(raw.text);
  const isEmpty = json === null || !/\p{L}/u.test(raw.text);
  const said = isEmpty ? "" : (errorWords(json) || raw.text).trim();
  return { message: "", serviceText: said.endsWith(".") && !said.endsWith("..") ? said.slice(0, -1) : said };
}

/** `404 Not Found` */
export function statusText(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ""}`.trimEnd();
}

/** Whether a gateway answers this while the service behind it restarts. */
export function isGatewayStatus(status: number): boolean {
  return [502, 503, 504].includes(status);
}

const kinds: Readonly<Record<number, ErrorKind>> = {
  401: "unauthorized",
  403: "forbidden",
  404: "not-found",
  408: "unavailable",
  407: "proxy",
  409: "conflict",
  410: "not-found",
  429: "rate-limited",
};

function errorKindOf(raw: RawResponse): ErrorKind {
  const kind = kinds[raw.status] ?? (raw.status >= 500 ? "unavailable" : "invalid");
  // A gateway's 404 page means a wrong address, not a deleted deployment. Nor is it known what cannot be read.
  return kind === "not-found" && (isPage(raw) || raw.undecoded !== undefined) ? "foreign" : kind;
}

function isPage(raw: RawResponse): boolean {
  return /html/i.test(headerOf(raw, "content-type") ?? "") || /^\s*<(!doctype html|html)\b/i.test(raw.text);
}

/** Describes an HTML page by its title. */
function pageIn(raw: RawResponse): Words | undefined {
  if (!isPage(raw) || parseJson(raw.text) !== undefined) return undefined;
  const title = (/<title[^<>]*>([^<]+)/i.exec(raw.text)?.[1] ?? "").trim();
  const message = "an HTML page, which comes from a gateway and not from the service";
  return { message: title === "" ? message : `${message}: `, serviceText: title };
}

function headerOf({ headers }: RawResponse, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function serverTimeOf(raw: RawResponse): number | undefined {
  const time = Date.parse(headerOf(raw, "date") ?? "");
  return Number.isNaN(time) ? undefined : time;
}

/** `Retry-After`, which has seconds or a date; in milliseconds from now. */
function retryAfterOf(raw: RawResponse, now: number): number | undefined {
  const text = headerOf(raw, "retry-after")?.trim() ?? "";
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Math.max(0, dateIn(text) - now);
  return Number.isNaN(wait) ? undefined : wait;
}

/** A date begins with its day or its year. The parser also accepts other texts, such as `-5`. */
function dateIn(text: string): number {
  return /^(?:[A-Z][a-z]{2,8}, |\d{4}-)/.test(text) ? Date.parse(text) : NaN;
}
