/** What the user reads where the time of an operation, or the user's patience, ends before the service has answered. */
import { formatDuration } from "../duration";
import { allowance, type End, type Limits } from "../limits";
import { ControlPlaneError } from "../errors";

/** There is no more time, or no more patience, for another try after an error. */
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

/** The time, or the patience, ended while another try was under way: what went wrong before says more than that. */
export function endedAgain(last: ControlPlaneError, { message, request, maybeDone }: ControlPlaneError) {
  const text = `${last.message}; the next try${message.slice(request.length)}`;
  return new ControlPlaneError(text, { ...last, maybeDone, isFinal: true });
}

/**
 * Nothing was sent at all.
 *
 * @param waitedFor what it had to wait for: "the service asks to slow down (429)"
 * @param wait how much longer it would have been, in milliseconds; 0 where nobody knows
 */
export function notSent(
  request: string,
  end: End,
  limits: Limits,
  { waitedFor, wait }: { readonly waitedFor: string; readonly wait: number },
): ControlPlaneError {
  const longer = wait > 0 ? ` for another ${formatDuration(wait)}` : "";
  const why =
    end === "interrupted" ? "interrupted" : `${waitedFor}${longer}, and there were ${allowance(limits)}`;
  return ended(request, `was not sent: ${why}`, end);
}

/** Nobody waits for the answer any longer. */
export function notAnswered(
  request: string,
  end: End,
  limits: Limits,
  isAmbiguous = false,
): ControlPlaneError {
  const text =
    end === "interrupted"
      ? "was interrupted before it was answered"
      : `got no answer in time: there were ${allowance(limits)}`;
  return ended(request, text, end, isAmbiguous);
}

function ended(request: string, text: string, end: End, maybeDone = false): ControlPlaneError {
  const kind = end === "interrupted" ? "interrupted" : "out-of-time";
  return new ControlPlaneError(`${request} ${text}`, { kind, request, maybeDone });
}
