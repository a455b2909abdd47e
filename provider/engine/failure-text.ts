/** Formats errors for the engine, for both protocols. */
import type { Failure } from "../deployment/check";
import { linesBelow } from "../errors";
import { sentencesText } from "../errors/advice";
import { subjectOf, type Resource } from "../stored/internal-inputs";
import type { Redact } from "../text/redact";
import { longestText, sanitize } from "../text/sanitize";
import { redactorFor } from "./redact-secrets";

/** Which operation failed on which resource, and the full text for the user, without the secrets of either. */
export function failureText(operation: string, resource: Resource, error: unknown, old?: Resource) {
  const subject = `${subjectOf(resource)}: ${operation} failed`;
  const redact = redactorFor(resource, old);
  const shown = (line: string) => sanitize(redact(line), longestText);
  const below = redact(linesBelow(error));
  const text = [shown(`${subject}: ${sentencesText(error)}`), below].filter(Boolean).join("\n");
  return { subject: shown(subject), text };
}

/** A check failure, whose reason names the property: if the failure named it, the engine would print the value, maybe a secret. */
export function checkFailureText({ property, reason }: Failure, redact: Redact): string {
  const place = property === "" ? "" : `${property}: `;
  return `${place}${sanitize(redact(reason), longestText)}`;
}
