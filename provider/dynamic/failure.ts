import { UnfinishedError } from "../deployment/state";
import { failureText } from "../engine/failure-text";
import type { Protocol } from "../engine/operations";
import { failedKey, providerKey, providerText } from "../stored/internal-inputs";
import { outputsOf } from "./marshal";

/** Converts an error for the engine: one text for the user, and the resource's state if the service has the deployment. */
export const failure: Protocol["failure"] = (operation, resource, error, old) => {
  const { subject, text } = failureText(operation, resource, error, old);
  const result = new BriefError(text, subject);
  if (!(error instanceof UnfinishedError)) return result;
  return Object.assign(result, {
    id: error.id,
    properties: {
      ...outputsOf(error.state, resource.options),
      [providerKey]: providerText,
      [failedKey]: true,
    },
    reasons: [text],
  });
};

/** The provider process may also print the error with its stack trace, so both are one short line. */
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
