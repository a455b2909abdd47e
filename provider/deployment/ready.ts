/** Waits until a deployment answers: the service reports whether a revision is active, and not whether it serves requests. */
import type { Deployment } from "../../schema/deployment";
import { isSecretOutput } from "../../schema/outputs";
import { formatDuration, parseDuration } from "../time/duration";
import { DeploymentError } from "../errors";
import { elapsed, type Limits, waitUntil, within } from "../time/limits";
import type { Context } from "./context";
import type { ProbeResult, Observed } from "./service";
import { timeText, timedLine } from "../time/timed-line";

/** In milliseconds: between two requests, and what is left for the last one. */
const pauses = { first: 1_000, most: 10_000, left: 1_000 };

const next =
  "The deployment exists and its revision is active: the next `pulumi up` checks it again, without a new revision";

/** Throws unless the deployment answers with one of the expected statuses in time. Messages never contain the body of a response. */
export async function waitUntilReady(
  context: Context,
  { ready }: Pick<Deployment, "ready">,
  { url }: Pick<Observed, "url">,
): Promise<void> {
  if (ready === undefined) return;
  const { path, timeout = "2m", status: expected = [200] } = ready;
  const base = withoutRest(url ?? "");
  if (base === undefined)
    return context.log.warning(
      "the service reports no address for it to request, so `ready` was not checked",
    );

  const shown = isSecretOutput("url", context.secretPaths) ? `[secret]${path}` : base + path;
  const statuses = expected.join(" or ");
  const limits = withinTime(context, parseDuration(timeout)!);
  const most = formatDuration(limits.timeout);
  let last: ProbeResult | undefined;
  /** `not ready 20s of 2m: waiting for https://chat.example.com/ok to answer 200 (503)` */
  const underway = (time: string) =>
    `not ready ${time}: waiting for ${shown} to answer ${statuses} (${formatResult(last)})`;

  const show = timedLine(context, limits);
  const isReady = async () => {
    const probe = (ended: AbortSignal) => context.service.probe(base + path, ended);
    const asked = await within(context.clock, limits, probe, () => underway(timeText(context.clock, limits)));
    if ("end" in asked) return asked.end;
    last = asked.value;
    if ("status" in last && expected.includes(last.status)) return "ready";
    show(formatResult(last), underway);
    return undefined;
  };
  const end = await waitUntil(context.clock, limits, isReady, pauses);
  if (end === "ready") {
    const after = formatDuration(elapsed(context.clock, limits));
    return context.tell(`ready after ${after}: ${shown} answers ${formatResult(last)}`);
  }
  const answer = `(${formatResult(last)})`;
  if (end === "interrupted")
    throw new DeploymentError(`interrupted: ${shown} has not answered ${statuses} yet ${answer}. ${next}`);
  throw new DeploymentError(
    `${shown} did not answer ${statuses} within ${most} ${answer}. The machine that runs \`pulumi\` must be able to reach it. ${next}. ` +
      "For more time, raise `ready.timeout`, and the resource option `customTimeouts` if that is shorter",
  );
}

/** `503`, or why the request failed. */
function formatResult(last: ProbeResult | undefined): string {
  if (last === undefined) return "no answer yet";
  return "status" in last ? String(last.status) : last.problem;
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
  return origin + pathname.replace(/(?<!\/)\/+$/, "");
}
