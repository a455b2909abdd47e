import { isKind, type ControlPlaneError } from "../errors";
import { formatDuration } from "../duration";
import { elapsed, type End } from "../limits";
import type { Context } from "./context";
import { lastPoll } from "./rollout-texts";
import { nextLook, signsOfLife, troubleWith } from "./rollout";

/**
 * Looks until a deployment that is being deleted is gone, or until the time or the user's patience is over; with the
 * reason why the last look showed nothing, if it did not.
 */
export async function waitUntilGone(
  context: Context,
  id: string,
): Promise<{ readonly end: "gone" | End; readonly trouble?: Error | undefined }> {
  const { clock, log, timeout } = context;
  const isTime = signsOfLife(clock);
  let trouble: ControlPlaneError | undefined;
  for (;;) {
    const time = `${formatDuration(elapsed(clock, context))} of at most ${formatDuration(timeout)}`;
    if (isTime(`deleting ${trouble?.kind}`))
      log.progress(`waiting until it is deleted (${time})${lastPoll(trouble)}`);
    const look = await nextLook(context, id, { isDeleted: true });
    if (look === undefined) return { end: "gone" };
    if (look === "interrupted") return { end: look, trouble };
    trouble = troubleWith(look, trouble);
    if (look === "out of time" || isKind(look, "out-of-time")) return { end: "out of time", trouble };
  }
}
