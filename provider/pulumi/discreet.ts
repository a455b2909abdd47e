import { ControlPlaneError } from "../errors";
import type { Service } from "../deployment/service";
import type { Values } from "../values";
import { waitingText, type Limits } from "../limits";
import { redactor, type Redact } from "../text/redact";
import { openTextsIn, secretsIn } from "./secrets-in";

/**
 * Takes the secrets of a resource out of what the service says.
 *
 * @param all the resource, and what it was before
 */
export function serviceWords(...all: readonly Values[]): Redact {
  return redactor(all.flatMap(secretsIn), { open: openTextsIn(...all) });
}

/**
 * The service as one resource sees it: what it says in an error repeats no secret of that resource. Requests are shared
 * by many resources, so that the connection itself does not know all of them.
 */
export function discreet(service: Service, redact: Redact): Service {
  const withoutSecrets = (error: unknown): never => {
    throw error instanceof ControlPlaneError ? error.withWords(redact) : error;
  };
  return new Proxy(service, {
    get(target, name: keyof Service) {
      const method: unknown = target[name];
      if (typeof method !== "function") return method;
      return (...args: unknown[]): unknown => {
        const result: unknown = Reflect.apply(method, target, args);
        if (name === "overtime") return discreet(result as Service, redact);
        if (name === "logTail") return (result as ReturnType<Service["logTail"]>).then(redact);
        return result instanceof Promise ? result.catch(withoutSecrets) : result;
      };
    },
  });
}

/** Says what an operation on a resource waits for, the service's words without the resource's secrets. */
export function tellWith(say: (text: string) => void, name: string, redact: Redact): Limits["tell"] {
  return (waitsFor, time) => {
    const shown = waitsFor instanceof ControlPlaneError ? waitsFor.withWords(redact) : waitsFor;
    say(`${name}: ${waitingText(shown, time)}`);
  };
}
