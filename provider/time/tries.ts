/** Decides when to retry a failed call, and when to give up. */
import type { Clock } from "./clock";
import { formatDuration } from "./duration";
import type { ControlPlaneError } from "../errors";
import { isKind, transientKinds } from "../errors";
import { allowanceText, nextTryText, pause, type End, type Limits } from "./limits";

/** How long calls wait for a restarting service, in milliseconds. */
const longestRestart = 60_000;
/** The most failures of any other kind. */
const mostFailures = 5;
const firstWait = 500;
const longestWait = 8_000;
/** Requests and retries are reported to the user once they take this long, in milliseconds. */
export const silence = 5_000;

/** Whether the whole connection has to wait, not just the call. */
export function isHeld({ status, retryAfter }: Pick<ControlPlaneError, "status" | "retryAfter">): boolean {
  return status === 429 || (status === 503 && retryAfter !== undefined);
}

export class Tries {
  readonly #began: number;
  #restartsSince: number | undefined;
  #failures = 0;
  #waits = 0;

  /** @param isPatient whether to wait for an unreachable service */
  constructor(
    private readonly clock: Clock,
    private readonly limits: Limits,
    private readonly isPatient = true,
  ) {
    this.#began = clock.now();
  }

  /** Waits until the next attempt is due. Throws the error, with the reason, if there is no further attempt. */
  async waitAfter(error: ControlPlaneError): Promise<void> {
    const { clock, limits } = this;
    const wait = this.#waitAfter(error);
    if (wait === undefined) throw error;
    if (wait === 0) return;
    const isLong = Math.max(wait, clock.now() - this.#began) >= silence;
    const most = error.isRestart ? Math.min(limits.timeout, longestRestart) : limits.timeout;
    const tell = () => limits.tell(error, nextTryText({ ...limits, timeout: most }, wait));
    const end = await pause(clock, limits, wait, isLong ? tell : undefined);
    if (end !== undefined) throw notRetried(error, end, limits, wait);
  }

  /** In milliseconds; undefined if there is no further attempt. */
  #waitAfter(error: ControlPlaneError): number | undefined {
    const { retryAfter, isRestart } = error;
    if (error.isFinal || !transientKinds.includes(error.kind)) return undefined;
    if (isHeld(error)) return 0;
    if (!this.isPatient && isKind(error, "unreachable")) return undefined;
    if (isRestart && this.isPatient) {
      const now = this.clock.now();
      this.#restartsSince ??= now;
      if (now - this.#restartsSince >= longestRestart) return undefined;
    } else if (++this.#failures >= mostFailures) return undefined;
    if (retryAfter !== undefined) return Math.max(firstWait, retryAfter);
    const wait = Math.min(longestWait, firstWait * 2 ** this.#waits++);
    return wait * (0.75 + this.clock.random() * 0.5);
  }
}

/** Adds to an error why it is not retried. */
export function notRetried(
  error: ControlPlaneError,
  end: End,
  limits: Limits,
  wait: number,
): ControlPlaneError {
  const why =
    end === "interrupted"
      ? "interrupted before the next try"
      : `no time is left for the next try in ${formatDuration(wait)}: there were ${allowanceText(limits)}`;
  return error.with({ isFinal: true }, `${error.message}; ${why}`);
}
