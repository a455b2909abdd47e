/**
 * Waits until a deployment answers. The service only reports whether a revision is active. Whether the application serves
 * requests, only a request to its own address shows.
 */
import type { Deployment } from "../../schema/deployment";
import { formatDuration, parseDuration } from "../duration";
import { DeploymentError } from "../errors";
import { elapsed, pause, within, type End, type Limits } from "../limits";
import * as texts from "./ready-messages";
import { isSecretOutput } from "./secret-outputs";
import type { Context } from "./context";
import type { ProbeResult, Observed } from "./service";
import { heartbeat } from "./progress";

/** Milliseconds. */
const firstWait = 1_000;
const longestWait = 10_000;
const growth = 1.5;

/** Throws unless the deployment answers with one of the expected statuses in time. */
export async function waitUntilReady(
  context: Context,
  { name, ready }: Pick<Deployment, "name" | "ready">,
  { url }: Pick<Observed, "url">,
): Promise<void> {
  if (ready === undefined) return;
  const { path, timeout = "2m", status: expected = [200] } = ready;
  const base = url === null ? undefined : withoutRest(url);
  if (base === undefined) return context.log.warning(texts.notAsked(name, url));

  const isSecret = isSecretOutput("url", context.secretPaths);
  const target = { address: isSecret ? `[secret]${path}` : base + path, expected };
  const limits = withinTime(context, parseDuration(timeout)!);
  const time = () => formatDuration(elapsed(context.clock, limits));
  const most = formatDuration(limits.timeout);
  const underway = (last?: ProbeResult) => texts.waitingForAnswer(target, last, time(), most);

  const { end, last } = await untilAnswered(context, limits, { address: base + path, expected }, underway);
  if (end === undefined) return context.tell(texts.answered(target, last, time()));
  if (end === "interrupted") throw new DeploymentError(texts.interruptedBeforeAnswer(target, last));
  const isOwnTime = limits.deadline < context.deadline;
  throw new DeploymentError(
    texts.notAnsweredInTime(target, last, most, isOwnTime ? "`ready.timeout`" : context.moreTime),
  );
}

/** The limits of the operation, or of `ready` if they are shorter. */
function withinTime(context: Context, time: number): Limits {
  const now = context.clock.now();
  const deadline = Math.min(context.deadline, now + time);
  return { ...context, deadline, timeout: deadline - now };
}

/** Scheme, host and path, without a password. Undefined if it is not an HTTP address. */
function withoutRest(url: string): string | undefined {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/\/+$/, "");
}

/** Resolves to the last answer, and to `end` if the limits end first. */
async function untilAnswered(
  { service, clock }: Context,
  limits: Limits,
  { address, expected }: texts.ReadyTarget,
  underway: (last?: ProbeResult) => string,
): Promise<{ readonly end?: End; readonly last?: ProbeResult }> {
  const isTime = heartbeat(clock);
  let last: ProbeResult | undefined;
  for (let wait = firstWait; ; wait = Math.min(longestWait, wait * growth)) {
    const ended = new AbortController();
    const answer = service.probe(address, ended.signal);
    const asked = await within(clock, limits, answer, () => underway(last)).finally(() => ended.abort());
    if ("end" in asked) return { end: asked.end, last };
    last = asked.value;
    if ("status" in last && expected.includes(last.status)) return { last };
    if (isTime(texts.formatResult(last))) limits.tell(underway(last));
    const jittered = wait * (0.9 + clock.random() * 0.2);
    // Always sends a last request shortly before the deadline.
    const rest = limits.deadline - clock.now() - firstWait;
    const end = await pause(clock, limits, rest > 0 ? Math.min(jittered, rest) : jittered);
    if (end !== undefined) return { end, last };
  }
}
