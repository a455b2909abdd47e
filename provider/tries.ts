/** When a failed call is tried again, and how long that goes on. */
import type { Clock } from "./clock";
import { formatDuration } from "./duration";
import { ControlPlaneError, isKind, transientKinds } from "./errors";
import { allowance, nextTry, pause, type End, type Limits } from "./limits";

/** A service that restarts is waited for this long, in milliseconds. */
const longestRestart = 60_000;
/** How often a call may fail in any other way. */
const mostFailures = 5;
const firstWait = 500;
const longestWait = 8_000;
/** A request, or a call with its retries, is reported on the screen once it takes longer; milliseconds. */
export const silence = 5_000;

/** Whether the service asks the whole connection to come back later. Then the connection waits, not the call. */
export function isHeld({ status, retryAfter }: Pick<ControlPlaneError, "status" | "retryAfter">): boolean {
  return status === 429 || (status === 503 && retryAfter !== undefined);
}

export class Tries {
  readonly #began: number;
  #restartsSince: number | undefined;
  #failures = 0;
  #waits = 0;

  /** @param isPatient whether a service that cannot be reached is waited for */
  constructor(
    private readonly clock: Clock,
    private readonly limits: Limits,
    private readonly isPatient = true,
  ) {
    this.#began = clock.now();
  }

  /** Waits until it is time for the next try. Throws the error, with the reason, if there is to be none. */
  async waitAfter(error: ControlPlaneError): Promise<void> {
    const { clock, limits } = this;
    const wait = this.#waitAfter(error);
    if (wait === undefined) throw error;
    if (wait === 0) return;
    const isLong = Math.max(wait, clock.now() - this.#began) >= silence;
    const most = error.isRestart ? Math.min(limits.timeout, longestRestart) : limits.timeout;
    const tell = () => limits.tell(error, nextTry({ ...limits, timeout: most }, wait));
    const end = await pause(clock, { ...limits, tell }, wait, isLong ? error : undefined);
    if (end !== undefined) throw notAgain(error, end, limits, wait);
  }

  /** Milliseconds; undefined if there is to be no other try. */
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

/** Adds to an error why there is no other try after it. */
export function notAgain(
  error: ControlPlaneError,
  end: End,
  limits: Limits,
  wait: number,
): ControlPlaneError {
  const why =
    end === "interrupted"
      ? "interrupted before the next try"
      : `no time is left for the next try in ${formatDuration(wait)}: there were ${allowance(limits)}`;
  return new ControlPlaneError(`${error.message}; ${why}`, { ...error, isFinal: true });
}
