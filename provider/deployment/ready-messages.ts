/** What the user reads while a deployment does not answer as it should. No body of a response is ever part of it. */
import type { Answer } from "./service";

export interface Target {
  /** As it may be shown. */
  readonly address: string;
  readonly wanted: readonly number[];
}

const next =
  "The deployment exists and its revision is active: the next `pulumi up` asks again, without a new revision";

/** `waiting for https://chat.example.com/ok to answer 200 (503, 20s of at most 2m)` */
export function underway(target: Target, last: Answer | undefined, elapsed: string, timeout: string): string {
  return `waiting for ${target.address} to answer ${statuses(target)} (${shown(last)}, ${elapsed} of at most ${timeout})`;
}

export function answers({ address }: Target, last: Answer | undefined, elapsed: string): string {
  return `${address} answers ${shown(last)} (after ${elapsed})`;
}

/** @param moreTime what gives it more time */
export function outOfTime(
  target: Target,
  last: Answer | undefined,
  timeout: string,
  moreTime: string | undefined,
): string {
  const more = moreTime === undefined ? "" : `. For more time, raise ${moreTime}`;
  return `${target.address} did not answer ${statuses(target)} within ${timeout}: ${why(last)}. ${next}${more}`;
}

export function interrupted(target: Target, last: Answer | undefined): string {
  return `interrupted: ${target.address} has not answered ${statuses(target)} yet: ${why(last)}. ${next}`;
}

export function notAsked(name: string, url: string | null): string {
  const why =
    url === null
      ? "the service shows no address of it"
      : "its address does not begin with http:// or https://";
  return `${name}: ${why}, so \`ready\` was not checked`;
}

/** `503`, or why there was no answer. */
export function shown(last: Answer | undefined): string {
  if (last === undefined) return "no answer yet";
  return "status" in last ? String(last.status) : last.problem;
}

function why(last: Answer | undefined): string {
  if (last === undefined) return "no request got an answer";
  if ("status" in last) return `the last answer was ${last.status}`;
  return `the last request ${last.problem}; the machine that runs \`pulumi\` must be able to reach this address`;
}

function statuses({ wanted }: Target): string {
  return wanted.join(" or ");
}
