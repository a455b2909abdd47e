import { type Path, textsIn, valueAt, type Values } from "../../schema/tree";
import { credentialsIn } from "../text/credential";
import { type Redact, redactor } from "../text/redact";
import type { Resource } from "../stored/internal-inputs";
import { ControlPlaneError } from "../errors";
import type { Patch, Service } from "../deployment/service";
import { waitingText, type Limits } from "../time/limits";

/** All strings in the arguments that may be secrets: values of `secrets`, and values that the program passed as secrets. */
export function secretsIn({ values, options: { secretPaths = [] } }: Resource): string[] {
  return [values["secrets"], ...secretPaths.map((path) => nearestTo(values, path))].flatMap(textsIn);
}

/** The value at a path, or the nearest enclosing value. */
function nearestTo(values: Values, path: Path): unknown {
  return path.reduce<unknown>((at, part) => valueAt(at, [part]) ?? at, values);
}

/** Removes the secrets of a resource, and of its previous version, from a text. */
export function redactorFor(resource: Resource, old?: Resource): Redact {
  const all = [resource, ...(old === undefined ? [] : [old])];
  const credentials = all.flatMap(({ values }) => credentialsIn(values));
  return redactor(all.flatMap(secretsIn), credentials);
}

/** The error with secrets removed from the service's message. */
export function redactError<T>(error: T, redact: Redact): T | ControlPlaneError {
  return error instanceof ControlPlaneError ? error.redacted(redact) : error;
}

/** The service for one resource, whose secrets its errors do not contain. The connection itself does not know them. */
export function redactErrors(service: Service, redact: Redact): Service {
  return new Proxy(service, {
    get(target, name: keyof Service) {
      const method: unknown = target[name];
      if (typeof method !== "function") return method;
      return (...args: unknown[]): unknown => {
        const result: unknown = Reflect.apply(method, target, args);
        if (name === "afterDeadline") return redactErrors(result as Service, redact);
        if (name === "logTail" || name === "logSoFar") return (result as Promise<string>).then(redact);
        if (!(result instanceof Promise)) return result;
        // A write may also send secrets that were read from the service and are not declared.
        const sent = name === "update" ? (args[1] as Patch) : {};
        const redactAll: Redact = (text) =>
          redactor(textsIn(sent.secrets), credentialsIn(sent))(redact(text));
        return result.catch((error: unknown) => Promise.reject(redactError(error, redactAll)));
      };
    },
  });
}

/** Reports what an operation on a resource waits for, without the resource's secrets. */
export function tellWith(say: (text: string) => void, redact: Redact): Limits["tell"] {
  return (waitsFor, time) => {
    say(waitingText(redactError(waitsFor, redact), time));
  };
}
