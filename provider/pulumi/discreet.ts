import { ControlPlaneError } from "../control-plane/errors";
import type { Service } from "../deployment/service";
import type { Values } from "../deployment/values";
import { redactor, type Redact } from "../redaction";
import { openTextsIn, secretsIn } from "./secrets-in";

/**
 * The service as one resource sees it: what it says in an error repeats no secret of that resource. Requests are shared
 * by many resources, so that the connection itself does not know all of them.
 *
 * @param all the resource, and what it was before
 */
export function discreet(service: Service, ...all: readonly Values[]): Service {
  return withWords(service, redactor(all.flatMap(secretsIn), { open: openTextsIn(...all) }));
}

function withWords(service: Service, redact: Redact): Service {
  const withoutSecrets = (error: unknown): never => {
    throw error instanceof ControlPlaneError ? error.withWords(redact) : error;
  };
  return new Proxy(service, {
    get(target, name: keyof Service) {
      const method: unknown = target[name];
      if (typeof method !== "function") return method;
      return (...args: unknown[]): unknown => {
        const result: unknown = Reflect.apply(method, target, args);
        if (name === "overtime") return withWords(result as Service, redact);
        return result instanceof Promise ? result.catch(withoutSecrets) : result;
      };
    },
  });
}
