/** Messages about a deployment that does not answer as expected. They never contain the body of a response. */
import type { ProbeResult } from "./service";

export interface ReadyTarget {
  /** The address to display, without secrets. */
  readonly address: string;
  readonly expected: readonly number[];
}

const next =
  "The deployment exists and its revision is active: the next `pulumi up` checks it again, without a new revision";

/** `waiting for https://chat.example.com/ok to answer 200 (503, 20s of at most 2m)` */
export function waitingForAnswer(
  target: ReadyTarget,
  last: ProbeResult | undefined,
  elapsed: string,
  timeout: string,
): string {
  return `waiting for ${target.address} to answer ${formatStatuses(target)} (${formatResult(last)}, ${elapsed} of at most ${timeout})`;
}

export function answered({ address }: ReadyTarget, last: ProbeResult | undefined, elapsed: string): string {
  return `${address} answers ${formatResult(last)} (after ${elapsed})`;
}

/** @param moreTime the setting that allows more time */
export function notAnsweredInTime(
  target: ReadyTarget,
  last: ProbeResult | undefined,
  timeout: string,
  moreTime: string | undefined,
): string {
  const more = moreTime === undefined ? "" : `. For more time, raise ${moreTime}`;
  return `${target.address} did not answer ${formatStatuses(target)} within ${timeout}: ${why(last)}. ${next}${more}`;
}

export function interruptedBeforeAnswer(target: ReadyTarget, last: ProbeResult | undefined): string {
  return `interrupted: ${target.address} has not answered ${formatStatuses(target)} yet: ${why(last)}. ${next}`;
}

export function notAsked(name: string, url: string | null): string {
  const why =
    url === null
      ? "the service does not report an address for it"
      : "its address does not begin with http:// or https://";
  return `${name}: ${why}, so \`ready\` was not checked`;
}

/** `503`, or why the request failed. */
export function formatResult(last: ProbeResult | undefined): string {
  if (last === undefined) return "no answer yet";
  return "status" in last ? String(last.status) : last.problem;
}

function why(last: ProbeResult | undefined): string {
  if (last === undefined) return "there was no answer";
  if ("status" in last) return `the last answer was ${last.status}`;
  return `the last request ${last.problem}; the machine that runs \`pulumi\` must be able to reach this address`;
}

function formatStatuses({ expected }: ReadyTarget): string {
  return expected.join(" or ");
}
