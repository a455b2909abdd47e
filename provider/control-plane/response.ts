/** Interprets an HTTP response: parsed JSON, or a failure. */
import { STATUS_CODES } from "node:http";
import { parseJson } from "../text/json";
import type { ErrorDetails, ErrorKind } from "../errors";
import type { Undecoded } from "./content-encoding";
import { errorWords } from "./error-words";
import { allowanceIn, millisecondsUntil } from "./rate-limit-headers";
import type { Allowance } from "./request-budget";

export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Empty if the body cannot be read. */
  readonly text: string;
  readonly undecoded?: Undecoded | undefined;
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
  readonly message: string;
  /** The part of the message that the other side wrote, in full. It is truncated after redaction. */
  readonly serviceText?: string | undefined;
}

/** If the service asks for a longer wait, the call fails instead; milliseconds. */
const longestRetryAfter = 10 * 60_000;
/** A longer wait is a mistake, and ignored; milliseconds. */
const longestWait = 7 * 24 * 60 * 60_000;

/** @param now the local time, for a service that does not send its own */
export function readResponse(
  raw: RawResponse,
  now: number,
): ParsedResponse | { readonly problem: CallFailure } {
  if (raw.status >= 400) return { problem: refusal(raw, now) };
  if (raw.status >= 300) return { problem: redirect(raw) };
  const serverTime = serverTimeOf(raw);
  if (raw.undecoded !== undefined) return { problem: undecodable(raw, raw.undecoded) };
  if (raw.text === "") return { body: undefined, serverTime };
  const json = parseJson(raw.text);
  return json === undefined ? { problem: unreadable(raw) } : { body: json, serverTime };
}

export function requestIdOf(raw: RawResponse): string | undefined {
  return headerOf(raw, "x-request-id");
}

/** Only a damaged response may be better at the next try. */
function undecodable({ status }: RawResponse, undecoded: Undecoded): CallFailure {
  const kind = undecoded.problem === "damaged" ? "unreadable" : "foreign";
  const [message, serviceText] = [`${status} ${undecodedText(undecoded)}`, undecoded.encoding];
  return {
    message,
    serviceText,
    kind,
    isAmbiguous: true,
    advice: undecoded.problem === "unknown" ? uncompressed : undefined,
  };
}

const uncompressed =
  "Requests ask for responses without compression. Configure the proxy or gateway in between so that it does not compress them, or " +
  "only with gzip, br or deflate.";

function undecodedText({ encoding, problem }: Undecoded): string {
  const known = `with a response that is ${problem === "damaged" ? "truncated or damaged" : "too large"}: ${encoding}`;
  return problem === "unknown" ? `with a response in an encoding that cannot be read: ${encoding}` : known;
}

function unreadable(raw: RawResponse): CallFailure {
  // Anything that begins like JSON may contain secrets, including unknown ones, so it is not quoted.
  if (/\bjson\b/i.test(headerOf(raw, "content-type") ?? "") || /^\s*[[{]/.test(raw.text)) {
    const message = `${raw.status} with JSON that is truncated or damaged`;
    return { message, kind: "unreadable", isAmbiguous: true };
  }
  const page = pageIn(raw);
  const serviceText = page?.title ?? (page === undefined ? raw.text.trim() : "");
  const message = `${raw.status} with ${page?.text ?? `something that is not JSON: ${serviceText}`}`;
  return { message, serviceText, kind: "foreign", isAmbiguous: true };
}

function redirect(raw: RawResponse): CallFailure {
  const target = headerOf(raw, "location") ?? "nowhere";
  const message = `${raw.status}, a redirect to ${target}`;
  return { message, serviceText: target, kind: "redirected", isAmbiguous: false };
}

function refusal(raw: RawResponse, now: number): CallFailure {
  const { text: detail, words: serviceText } = reasonIn(raw);
  const status = statusText(raw.status);
  const message = detail === "" ? status : `${status}: ${detail}`;
  const kind = errorKindOf(raw);
  const retryAfter = retryAfterOf(raw, serverTimeOf(raw) ?? now);
  // Even with a `Retry-After`: a gateway may have sent it although the service behind it did the work.
  const isAmbiguous = kind === "unavailable";
  if (retryAfter !== undefined && retryAfter > longestRetryAfter) {
    const asked = `${message}; the service asks to wait ${Math.round(retryAfter / 60_000)} minutes`;
    return { message: asked, serviceText, kind: "overloaded", isAmbiguous };
  }
  const isRestart = isGatewayStatus(raw.status);
  return { message, serviceText, kind, isAmbiguous, retryAfter, isRestart };
}

/** What a refusal says, and the part of it that the other side wrote. */
function reasonIn(raw: RawResponse): { readonly text: string; readonly words: string } {
  if (raw.undecoded !== undefined)
    return { text: undecodedText(raw.undecoded), words: raw.undecoded.encoding };
  const page = pageIn(raw);
  if (page !== undefined) return { text: page.text, words: page.title };
  const said = wordsOf(raw.text).trim();
  const words = said.endsWith(".") && !said.endsWith("..") ? said.slice(0, -1) : said;
  return { text: words, words };
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

/** The part of a page in which its title is; characters. */
const longestHead = 16_384;

/** Describes an HTML page by its title. */
function pageIn(raw: RawResponse): { readonly title: string; readonly text: string } | undefined {
  if (!isPage(raw) || parseJson(raw.text) !== undefined) return undefined;
  const head = raw.text.slice(0, longestHead);
  const found = /<title[^<>]*>([^<]+)/i.exec(head) ?? /<h1[^<>]*>([^<]+)/i.exec(head);
  const title = (found?.[1] ?? "").trim();
  const named = title === "" ? "" : ` with the title "${title}"`;
  return { title, text: `an HTML page${named}, which comes from a gateway and not from the service` };
}

function wordsOf(text: string): string {
  const json = parseJson(text);
  return json === undefined ? text : errorWords(json);
}

function headerOf({ headers }: RawResponse, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function serverTimeOf(raw: RawResponse): number | undefined {
  const time = Date.parse(headerOf(raw, "date") ?? "");
  return Number.isNaN(time) ? undefined : time;
}

/** What the service reports of its rate limit. */
export function allowanceOf(raw: RawResponse, now: number): Allowance | undefined {
  return allowanceIn((name) => headerOf(raw, name), serverTimeOf(raw) ?? now);
}

/** In milliseconds from now. A service that refuses for its rate limit may only say when that starts anew. */
function retryAfterOf(raw: RawResponse, now: number): number | undefined {
  const given = millisecondsUntil(headerOf(raw, "retry-after"), now);
  if (given !== undefined && given <= longestWait) return given;
  const reset = raw.status === 429 ? allowanceIn((name) => headerOf(raw, name), now)?.resetsIn : undefined;
  return reset !== undefined && reset <= longestWait ? reset : undefined;
}
