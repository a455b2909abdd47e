/** Operation timeouts: the resource option `customTimeouts`, or defaults. */
import type { Clock } from "../time/clock";
import { parseDuration } from "../time/duration";
import type { ResourceOptions, Operation } from "../deployment/context";
import type { Limits } from "../time/limits";

/** Milliseconds. */
const defaults: Record<Operation, number> = {
  create: 30 * 60_000,
  update: 30 * 60_000,
  delete: 10 * 60_000,
};

/** Limits for the whole operation, counted from now. */
export function limitsOf(
  operation: Operation,
  timeouts: ResourceOptions["timeouts"],
  clock: Clock,
): Omit<Limits, "tell" | "signal"> {
  // The engine passes 0 for "not set".
  const timeout = parseDuration(timeouts?.[operation] ?? "") || defaults[operation];
  return { deadline: clock.now() + timeout, timeout, moreTime: "the resource option `customTimeouts`" };
}
