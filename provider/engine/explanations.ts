/** Explains a failure that all resources of a run share only once; the other errors refer to that explanation. */
import { STATUS_CODES } from "node:http";
import { connectionKinds } from "../errors/advice";
import { ControlPlaneError, DeploymentError, SharedError, type ErrorKind } from "../errors";
import { logicalName } from "../text/urn";

/** The next request may be answered in time. */
const kinds: readonly ErrorKind[] = connectionKinds.filter((kind) => kind !== "timeout");
/** Failures that may concern one resource alone. They are shared only if the service's messages are equal. */
const kindsInWords: readonly ErrorKind[] = ["forbidden", "foreign"];

export class Explanations {
  /** The first resource with each failure, by the failure's identity. */
  readonly #resources = new Map<string, string>();

  /** Returns the error, or a short one if it was already explained for another resource. */
  shorten(error: unknown, resource: string): unknown {
    const failure = failureIn(error);
    if (failure === undefined) return error;
    const first = this.#resources.get(failure.identity) ?? resource;
    this.#resources.set(failure.identity, first);
    if (first === resource) return error;
    return new DeploymentError(`${failure.brief}, as explained for "${logicalName(first)}"`);
  }
}

/** What it has in common with the same failure of other resources. Undefined if it concerns one resource alone. */
function failureIn(error: unknown): { readonly identity: string; readonly brief: string } | undefined {
  if (error instanceof SharedError) return { identity: error.message, brief: error.brief };
  if (!(error instanceof ControlPlaneError) || !kinds.includes(error.kind)) return undefined;
  const { kind, status } = error;
  const message = error.message.slice(error.request.length + 1);
  const words = kindsInWords.includes(kind) ? message.replace(/ \(request id [^)]*\)/, "") : "";
  const brief = status === undefined ? message.split(";")[0]! : `${status} ${STATUS_CODES[status] ?? ""}`;
  return { identity: `${kind} ${status} ${words}`, brief };
}
