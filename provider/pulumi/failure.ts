import { sentencesOf } from "../errors";
import { UnfinishedError } from "../deployment/state";
import { logIn } from "../deployment/log";
import type { Values } from "../values";
import { type InternalOptions, providerKey } from "../internal-inputs";
import { withSecrets } from "./marshal";
import { redactorFor } from "./redact-secrets";
import type * as pulumi from "@pulumi/pulumi";
import type { Failure } from "../deployment/check";
import { deployment as fields, type Fields } from "../../schema/fields";
import type { Redact } from "../text/redact";

/**
 * An error as the engine wants it: one text for the user, and the resource itself where the service has it.
 *
 * @param old the state before, whose secrets the service may echo too
 */
export function failure(operation: string, values: Values, error: unknown, old: Values = {}): Error {
  const subject = `${String(values["name"] ?? "deployment")}: ${operation} failed`;
  const shown = redactorFor(values, old);
  const text = [shown(`${subject}: ${sentencesOf(error)}`), logIn(error)].filter(Boolean).join("\n");
  const result = new BriefError(text, shown(subject));
  if (!(error instanceof UnfinishedError)) return result;
  return Object.assign(result, {
    id: error.id,
    properties: { ...withSecrets(error.state), [providerKey]: values[providerKey] },
    reasons: [text],
  });
}

/**
 * The engine shows the message beside the resource. For some operations the process also prints the error with its
 * stack, under the stack's own name; there, one short line is enough.
 */
class BriefError extends Error {
  override readonly stack = "the reason stands with the resource";

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

const table: Fields = fields;

/**
 * A failure as the engine shows it. It prints the value of a property of the resource that is named here, and nothing
 * for a path within one: where that value may be a secret, the reason names the place instead.
 */
export function checkFailure(
  failure: Failure,
  internal: InternalOptions,
  shown: Redact,
): pulumi.dynamic.CheckFailure {
  const { property } = failure;
  const reason = shown(failure.reason);
  return mayShowSecret(property, internal)
    ? { property: "", reason: `${property}: ${reason}` }
    : { property, reason };
}

function mayShowSecret(property: string, { secretPaths = [] }: InternalOptions): boolean {
  const isWithin = /[.[]/.test(property);
  if (isWithin) return false;
  const field = Object.hasOwn(table, property) ? table[property] : undefined;
  // A misspelt name may stand for any field.
  const isSecret = field === undefined || (field.kind === "leaf" && field.secret);
  return isSecret || secretPaths.some((path) => path === property || path.startsWith(`${property}.`));
}
