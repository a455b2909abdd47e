/** What a service reports of its rate limit: `RateLimit-Remaining` and `RateLimit-Reset`, or the same with `X-`. */
import type { Allowance } from "./request-budget";

type Header = (name: string) => string | undefined;

/** A larger number is a time since 1970 and not a duration; seconds. */
const longestDuration = 1_000_000_000;

/**
 * Undefined if the response does not say both what remains and until when.
 * @param left what remains if the headers leave it out
 */
export function allowanceIn(header: Header, now: number, left?: number): Allowance | undefined {
  for (const prefix of ["ratelimit-", "x-ratelimit-", "x-rate-limit-"]) {
    const remaining = count(header(`${prefix}remaining`)) ?? left;
    const resetsIn = millisecondsUntil(header(`${prefix}reset-after`) ?? header(`${prefix}reset`), now);
    const limit = count(header(`${prefix}limit`)?.split(/[,;]/)[0]);
    if (remaining !== undefined && resetsIn !== undefined) return { remaining, limit, resetsIn };
  }
  return undefined;
}

function count(text: string | undefined): number | undefined {
  const trimmed = text?.trim() ?? "";
  return /^\d{1,15}(?:\.\d{1,9})?$/.test(trimmed) ? Number(trimmed) : undefined;
}

/** Reads seconds, seconds or milliseconds since 1970, or a date, and returns the milliseconds until then. */
export function millisecondsUntil(text: string | undefined, now: number): number | undefined {
  const number = count(text);
  if (number !== undefined && number < longestDuration) return number * 1_000;
  const since1970 = number === undefined ? dateIn(text ?? "") : number;
  if (since1970 === undefined) return undefined;
  const isInSeconds = number !== undefined && number < longestDuration * 1_000;
  return Math.max(0, (isInSeconds ? since1970 * 1_000 : since1970) - now);
}

/** HTTP's three forms of a date, or an ISO one. */
function dateIn(text: string): number | undefined {
  const trimmed = text.trim();
  const isAsctime = /^[A-Z][a-z]{2} [A-Z][a-z]{2} /.test(trimmed);
  if (!isAsctime && !/^(?:[A-Z][a-z]{2,8}, |\d{4}-\d\d-\d\d[T ])/.test(trimmed)) return undefined;
  const date = Date.parse(isAsctime ? `${trimmed} GMT` : trimmed);
  return Number.isNaN(date) ? undefined : date;
}
