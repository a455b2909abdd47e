/** What the engine is given to show of an error, whichever protocol carries it. */
import { deployment as fields, type Fields } from "../../schema/fields";
import type { Failure } from "../deployment/check";
import { logIn } from "../deployment/log";
import { sentencesOf } from "../errors";
import { nameOf, type Resource, type ResourceOptions } from "../internal-inputs";
import type { Redact } from "../text/redact";
import { longestText, sanitize } from "../text/sanitize";
import { redactorFor } from "./redact-secrets";

export interface FailureText {
  /** Which operation failed, on which resource. */
  readonly subject: string;
  /** All that the user is to read. */
  readonly text: string;
}

/** @param old the state before, whose secrets the service may echo too */
export function failureText(
  operation: string,
  resource: Resource,
  error: unknown,
  old?: Resource,
): FailureText {
  const subject = `${nameOf(resource)}: ${operation} failed`;
  const redact = redactorFor(resource, ...(old === undefined ? [] : [old]));
  const shown = (line: string) => sanitize(redact(line), longestText);
  const text = [shown(`${subject}: ${sentencesOf(error)}`), logIn(error)].filter(Boolean).join("\n");
  return { subject: shown(subject), text };
}

const argumentFields: Fields = fields;

/**
 * A failure as the engine shows it. It prints the value of a property of the resource that is named here, and nothing
 * for a path within one: where that value may be a secret, the reason names the place instead.
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
  // A misspelt name may stand for any field.
  const isSecret = field === undefined || (field.kind === "leaf" && field.secret);
  return isSecret || secretPaths.some(([name]) => name === property);
}
