/** How long a service asks to wait before the next request. */

type Header = (name: string) => string | undefined;

/** A longer wait is a mistake, and ignored; milliseconds. */
const longestCredibleWait = 7 * 24 * 60 * 60_000;

/** Where a service that refuses for its rate limit may say when that starts anew. */
const resetHeaders = ["ratelimit-", "x-ratelimit-", "x-rate-limit-"].flatMap((prefix) =>
  ["reset-after", "reset"].map((name) => prefix + name),
);

/** In milliseconds from now; undefined if the response does not say it. */
export function retryAfterOf(header: Header, status: number, now: number): number | undefined {
  const names = ["retry-after", ...(status === 429 ? resetHeaders : [])];
  const waits = names.map((name) => millisecondsUntil(header(name), now));
  return waits.find((wait) => wait !== undefined && wait <= longestCredibleWait);
}

/** A larger number is a time since 1970 and not a duration; seconds. */
const longestDuration = 1_000_000_000;

/**
 * Reads seconds, seconds or milliseconds since 1970, or a date, and returns the milliseconds until then. Undefined if it is none
 * of these.
 */
function millisecondsUntil(given: string | undefined, now: number): number | undefined {
  const text = given?.trim() ?? "";
  const number = /^\d{1,15}(?:\.\d{1,9})?$/.test(text) ? Number(text) : undefined;
  if (number !== undefined && number < longestDuration) return number * 1_000;
  const since1970 = number === undefined ? dateIn(text) : number;
  if (since1970 === undefined) return undefined;
  const isInSeconds = number !== undefined && number < longestDuration * 1_000;
  return Math.max(0, (isInSeconds ? since1970 * 1_000 : since1970) - now);
}

/** HTTP's three forms of a date, or an ISO one. */
function dateIn(text: string): number | undefined {
  const isAsctime = /^[A-Z][a-z]{2} [A-Z][a-z]{2} /.test(text);
  if (!isAsctime && !/^(?:[A-Z][a-z]{2,8}, |\d{4}-\d\d-\d\d[T ])/.test(text)) return undefined;
  const date = Date.parse(isAsctime ? `${text} GMT` : text);
  return Number.isNaN(date) ? undefined : date;
}
