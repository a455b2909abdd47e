import { messageOf } from "../provider/errors";
import { sanitize } from "../provider/text/sanitize";

/** The command line is wrong: an unknown flag, a missing file or a missing setting. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Throws a `UsageError` that names the file if the system refuses the work. */
export function attempt<T>(file: string, verb: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw refusal(file, systemReason(error), verb);
  }
}

/** The system's reason, without the path: `EACCES: permission denied`. */
export function systemReason(error: unknown): string {
  return messageOf(error).split(", ")[0]!;
}

export function refusal(file: string, reason: string, verb = "write"): UsageError {
  return new UsageError(`cannot ${verb} ${sanitize(file)}: ${reason}`);
}
