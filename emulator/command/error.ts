/** A mistake in the command line, or on the machine: the message is all that its author needs. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}
