import type { Clock } from "../../provider/time/clock";
import { waitingText, type Limits } from "../../provider/time/limits";

/** The limits of an operation, half an hour by default. `said` collects what it reports. */
export function limitsOf(clock: Clock, more: Partial<Limits> = {}) {
  const said: string[] = [];
  const { timeout = 30 * 60_000 } = more;
  const limits: Limits = {
    deadline: clock.now() + timeout,
    timeout,
    tell: (waitsFor, time) => void said.push(waitingText(waitsFor, time)),
    ...more,
  };
  return { limits, said };
}
