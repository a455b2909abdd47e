import { formatDuration } from "../duration";
import type { Context } from "./context";
import { nextLook, signsOfLife } from "./rollout";

/** Looks until a deployment that is being deleted is gone, or until the time or the user's patience is over. */
export async function waitUntilGone(
  context: Context,
  id: string,
  started: number,
): Promise<"gone" | "out of time" | "interrupted"> {
  const { clock, log, timeout } = context;
  const isTime = signsOfLife(clock);
  for (;;) {
    const elapsed = formatDuration(clock.now() - started);
    if (isTime("deleting"))
      log.progress(`waiting until it is gone (${elapsed} of at most ${formatDuration(timeout)})`);
    const look = await nextLook(context, id, started + timeout - clock.now());
    if (look === undefined) return "gone";
    if (look === "out of time" || look === "interrupted") return look;
  }
}
