import type * as pulumi from "@pulumi/pulumi";
import type { Failure } from "../deployment/check";
import { deployment as fields, type Fields } from "../../schema/fields";
import type { Redact } from "../text/redact";
import type { HiddenContext } from "./hidden";

const table: Fields = fields;

/**
 * A failure as the engine shows it. It prints the value of a property of the resource that is named here, and nothing
 * for a path within one: where that value may be a secret, the reason names the place instead.
 */
export function checkFailure(
  failure: Failure,
  hidden: HiddenContext,
  shown: Redact,
): pulumi.dynamic.CheckFailure {
  const { property } = failure;
  const reason = shown(failure.reason);
  return mayShowSecret(property, hidden)
    ? { property: "", reason: `${property}: ${reason}` }
    : { property, reason };
}

function mayShowSecret(property: string, { secretPaths = [] }: HiddenContext): boolean {
  const isWithin = /[.[]/.test(property);
  if (isWithin) return false;
  const field = Object.hasOwn(table, property) ? table[property] : undefined;
  // A misspelt name may stand for any field.
  const isSecret = field === undefined || (field.kind === "leaf" && field.secret);
  return isSecret || secretPaths.some((path) => path === property || path.startsWith(`${property}.`));
}
