/** Formats errors for the engine, for both protocols. */
import { deployment as fields, type Fields } from "../../schema/fields";
import type { Failure } from "../deployment/check";
import { linesBelow } from "../deployment/log";
import { sentencesOf } from "../errors";
import { subjectOf, type Resource, type ResourceOptions } from "../internal-inputs";
import type { Redact } from "../text/redact";
import { longestText, sanitize } from "../text/sanitize";
import { redactorFor } from "./redact-secrets";

export interface FailureText {
  /** Which operation failed, on which resource. */
  readonly subject: string;
  /** The full text for the user. */
  readonly text: string;
}

/** @param old the resource before the operation: the service may echo its secrets too */
export function failureText(
  operation: string,
  resource: Resource,
  error: unknown,
  old?: Resource,
): FailureText {
  const subject = `${subjectOf(resource)}: ${operation} failed`;
  const redact = redactorFor(resource, ...(old === undefined ? [] : [old]));
  const shown = (line: string) => sanitize(redact(line), longestText);
  const text = [shown(`${subject}: ${sentencesOf(error)}`), linesBelow(error)].filter(Boolean).join("\n");
  return { subject: shown(subject), text };
}

const argumentFields: Fields = fields;

/**
 * A check failure as the engine shows it. The engine also prints the value of a top-level property that a failure names. If that
 * value may be a secret, the reason names the property instead.
 */
export function checkFailure(failure: Failure, internal: ResourceOptions, redact: Redact): Failure {
  const { property } = failure;
  const reason = sanitize(redact(failure.reason), longestText);
  return mayShowSecret(property, internal)
    ? { property: "", reason: `${property}: ${reason}` }
    : { property, reason };
}

function mayShowSecret(property: string, { secretPaths = [] }: ResourceOptions): boolean {
  const isWithin = /[.[]/.test(property);
  if (isWithin) return false;
  const field = Object.hasOwn(argumentFields, property) ? argumentFields[property] : undefined;
  // A misspelled name may be meant for any field.
  const isSecret = field === undefined || (field.kind === "leaf" && field.secret);
  return isSecret || secretPaths.some(([name]) => name === property);
}
