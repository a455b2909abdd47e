/** Retries calls that fail for a moment. */
import type { Clock } from "../time/clock";
import type { Limits } from "../time/limits";
import { ControlPlaneError, isKind } from "../errors";
import { Tries } from "../time/tries";
import type { ApiCall } from "./transport";
import { endedWhileRetrying } from "./transport-error";

export interface Retry extends Pick<ApiCall, "idempotent" | "isOnce"> {
  /** Whether to wait for a service that cannot be reached; default: true. */
  readonly isPatient?: boolean | undefined;
}

/** Retries a call until it succeeds, another try would not help, or the limits end. */
export async function withRetry<T>(
  clock: Clock,
  limits: Limits,
  { idempotent, isOnce, isPatient }: Retry,
  call: (last: ControlPlaneError | undefined) => Promise<T>,
): Promise<T> {
  const tries = new Tries(clock, limits, isPatient);
  let last: ControlPlaneError | undefined;
  for (;;) {
    try {
      return await call(last);
    } catch (thrown) {
      // An earlier try may have done the work: after a deletion, "not found".
      const isAmbiguous = last?.isAmbiguous && thrown instanceof ControlPlaneError;
      const error = isAmbiguous ? thrown.with({ isAmbiguous }) : thrown;
      if (last !== undefined && isKind(error, "out-of-time", "interrupted"))
        throw endedWhileRetrying(last, error);
      if (!(error instanceof ControlPlaneError) || isOnce || (error.isAmbiguous && !idempotent)) throw error;
      await tries.waitAfter(error);
      last = error;
    }
  }
}
