/**
 * What a service reports of its rate limit: `RateLimit` in the forms of the IETF's drafts, `RateLimit-Remaining` and
 * `RateLimit-Reset`, and the same with `X-`.
 */
import type { Allowance } from "./request-budget";

type Header = (name: string) => string | undefined;

/** Longer header values are not read. */
const longest = 1_000;
/** A larger number is a time since 1970 and not a duration; seconds. */
const longestDuration = 1_000_000_000;

/**
 * Undefined if the response does not say both what remains and until when.
 * @param left what remains if the headers leave it out
 */
export function allowanceIn(header: Header, now: number, left?: number): Allowance | undefined {
  const short = (name: string) => header(name)?.slice(0, longest);
  return structured(short) ?? separate(short, now, left);
}

/** `limit=100, remaining=50, reset=30`, or `"burst";r=0;t=1, "day";r=500;t=3600`: the one with the fewest requests left. */
function structured(header: Header): Allowance | undefined {
  const value = header("ratelimit");
  if (value === undefined) return undefined;
  const policies = header("ratelimit-policy") ?? "";
  const items = /\bremaining\s*=/i.test(value) ? [value.replaceAll(",", ";")] : value.split(",");
  return items
    .flatMap((item) => {
      const remaining = parameter(item, "r", "remaining");
      const reset = parameter(item, "t", "reset");
      if (remaining === undefined || reset === undefined) return [];
      const name = item.split(";")[0]!.trim();
      const policy = policies.split(",").find((each) => each.split(";")[0]!.trim() === name) ?? "";
      const limit = parameter(item, "limit") ?? parameter(policy, "q");
      return [{ remaining, limit, resetsIn: reset * 1_000 }];
    })
    .sort((a, b) => a.remaining - b.remaining)[0];
}

function parameter(item: string, ...names: string[]): number | undefined {
  for (const part of item.split(";")) {
    const [name = "", value] = part.split("=");
    if (names.includes(name.trim().toLowerCase())) return count(value);
  }
  return undefined;
}

function separate(header: Header, now: number, left: number | undefined): Allowance | undefined {
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

/**
 * Reads seconds, seconds or milliseconds since 1970, or a date, and returns the milliseconds until then. Undefined if it is none
 * of these.
 */
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
