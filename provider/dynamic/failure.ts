import { UnfinishedError } from "../deployment/state";
import { failureText } from "../engine/failure-text";
import { providerKey, providerText, type Resource } from "../internal-inputs";
import { outputsOf } from "./marshal";

/**
 * An error as the engine wants it: one text for the user, and the resource itself if the service has it.
 *
 * @param old the state before, whose secrets the service may repeat too
 */
export function failure(operation: string, resource: Resource, error: unknown, old?: Resource): Error {
  const { subject, text } = failureText(operation, resource, error, old);
  const result = new BriefError(text, subject);
  if (!(error instanceof UnfinishedError)) return result;
  return Object.assign(result, {
    id: error.id,
    properties: { ...outputsOf(error.state, resource.options), [providerKey]: providerText },
    reasons: [text],
  });
}

/**
 * The engine shows the message beside the resource. For some operations the process also prints the error with its
 * stack, under the stack's own name; there, one short line is enough.
 */
class BriefError extends Error {
  override readonly stack = "see the error on the resource";

  constructor(
    message: string,
    private readonly subject: string,
  ) {
    super(message);
  }

  override toString(): string {
    return this.subject;
  }
}
