/** A service may refuse a change while another revision is being rolled out: waits for that one, within the operation's time. */
import { type ControlPlaneError, DeploymentError } from "../errors";
import { formatDuration } from "../time/duration";
import type { Context } from "./context";
import { isDeleting, type Observed } from "./service";
import { revisionsIn } from "./state";
import { outcomeOf, pollUntil } from "./wait";
import * as texts from "./wait-messages";
import { timedLine } from "./wait-progress";

/** If the service does not report the status of revisions, the change is sent again after this many polls. */
const pollsUntilNextTry = 10;

/** What the refusal of a change says, if its status is that of any wrong request. */
const underWay = [
  /\b(revision|rollout)\b/i,
  /\b(in progress|under way|pending|running|building|deploying|queued|active)\b/i,
];

/**
 * @param refusal why the service refused the change
 * @returns the revisions that the service has now, none of which is the work of the refused change
 * @throws the refusal, if no other revision is the reason
 */
export async function otherRevisionEnded(
  context: Context,
  id: string,
  refusal: ControlPlaneError,
): Promise<readonly string[]> {
  const isTold = underWay.every((words) => words.test(refusal.message));
  const first = isTold || refusal.kind === "conflict" ? await context.service.read(id) : undefined;
  if (first === undefined || !isUnderWay(context, first)) throw refusal;
  const line = timedLine(context);
  let observed = first;
  let polled = 0;
  const show = (failure: ControlPlaneError | undefined) =>
    line(`${texts.statusesText(observed)} ${failure?.kind}`, (time) =>
      texts.waitingForOther(observed, time, failure),
    );
  const { end } = await pollUntil(
    context,
    id,
    (shown) => {
      observed = shown ?? observed;
      polled++;
      const isUntold = typeof observed.latestRevisionStatus !== "string" && polled >= pollsUntilNextTry;
      return shown === undefined || isUntold || !isUnderWay(context, shown) ? "ended" : undefined;
    },
    show,
  );
  if (end === "ended") return revisionsIn(observed);
  const why =
    end === "interrupted" ? "interrupted" : `it did not end within ${formatDuration(context.timeout)}`;
  throw new DeploymentError(texts.refusedMeanwhile(refusal, observed, why), { cause: refusal });
}

function isUnderWay({ dialect }: Context, observed: Observed): boolean {
  const { latestRevisionId: latest, activeRevisionId: active } = observed;
  return (
    latest !== null &&
    latest !== active &&
    !isDeleting(observed) &&
    outcomeOf(observed, dialect) === undefined
  );
}
