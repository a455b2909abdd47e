import { type Path, textsIn, valueAt, type Values } from "../../schema/tree";
import { type Redact, redactor } from "../text/redact";
import type { Resource } from "../internal-inputs";
import { ControlPlaneError } from "../errors";
import type { Patch, Service } from "../deployment/service";
import { waitingText, type Limits } from "../limits";

/** Every text in the arguments that may be a secret: values of `secrets`, and what the program passed as a secret. */
export function secretsIn({ values, options: { secretPaths = [] } }: Resource): string[] {
  return [values["secrets"], ...secretPaths.map((path) => nearestTo(values, path))].flatMap(textsIn);
}

/** The value at a path, or the nearest one around it. */
function nearestTo(values: Values, path: Path): unknown {
  return path.reduce<unknown>((at, part) => valueAt(at, [part]) ?? at, values);
}

/**
 * Takes the secrets of a resource out of a text.
 *
 * @param all the resource, and what it was before
 */
export function redactorFor(...all: readonly Resource[]): Redact {
  return redactor(all.flatMap(secretsIn));
}

/** The error without secrets in the service's words, which it has in full until then. */
export function redactError<T>(error: T, redact: Redact): T | ControlPlaneError {
  return error instanceof ControlPlaneError ? error.redacted(redact) : error;
}

/**
 * The service as one resource sees it: what it says in an error repeats no secret of that resource. Requests are shared
 * by many resources, so that the connection itself does not know all of them.
 */
export function redactErrors(service: Service, redact: Redact): Service {
  return new Proxy(service, {
    get(target, name: keyof Service) {
      const method: unknown = target[name];
      if (typeof method !== "function") return method;
      return (...args: unknown[]): unknown => {
        const result: unknown = Reflect.apply(method, target, args);
        if (name === "overtime") return redactErrors(result as Service, redact);
        if (name === "logTail" || name === "logSoFar") return (result as Promise<string>).then(redact);
        if (!(result instanceof Promise)) return result;
        // Secrets that nobody declared are read, and sent along.
        const sent = name === "update" ? textsIn((args[1] as Patch).secrets) : [];
        const redactAll: Redact = (text) => redactor(sent)(redact(text));
        return result.catch((error: unknown) => Promise.reject(redactError(error, redactAll)));
      };
    },
  });
}

/** Says what an operation on a resource waits for, the service's words without the resource's secrets. */
export function tellWith(say: (text: string) => void, name: string, redact: Redact): Limits["tell"] {
  return (waitsFor, time) => {
    say(`${name}: ${waitingText(redactError(waitsFor, redact), time)}`);
  };
}
