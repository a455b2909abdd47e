import { adviceFor } from "../control-plane/errors";
import { UnfinishedError } from "../deployment/errors";
import { isObject, type Values } from "../deployment/values";
import { redact } from "../redaction";
import { contextKey, providerKey, type HiddenContext } from "./hidden";
import { withSecrets } from "./marshal";

/** An error as the engine wants it: one text for the user, and the resource itself where the service has it. */
export function failure(operation: string, values: Values, error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const advice = adviceFor(cause);
  const text = redact(
    `${String(values["name"] ?? "deployment")}: ${operation} failed: ${message.replace(/\.?$/, ".")}${advice ? ` ${advice}` : ""}`,
    secretsIn(values),
  );
  const result = new Error(text);
  // The process prints the stack of some errors; it would only say where in the provider it was thrown.
  result.stack = "";
  if (!(error instanceof UnfinishedError)) return result;
  return Object.assign(result, {
    id: error.id,
    properties: { ...withSecrets(error.state), [providerKey]: values[providerKey] },
    reasons: [text],
  });
}

/** Everything in the arguments that is a secret, by its kind or because the program passed it as one. */
function secretsIn(values: Values): string[] {
  const { secretPaths = [] } = (values[contextKey] ?? {}) as HiddenContext;
  const passed = secretPaths.map((path) =>
    path.split(".").reduce<unknown>((at, part) => (isObject(at) ? at[part] : at), values),
  );
  return [values["secrets"], ...passed].flatMap(stringsIn);
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  return isObject(value) ? Object.values(value).flatMap(stringsIn) : [];
}
