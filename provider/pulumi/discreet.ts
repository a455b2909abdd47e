import { ControlPlaneError } from "../control-plane/errors";
import type { Service } from "../deployment/service";
import { redactor } from "../redaction";

/**
 * The service as one resource sees it: what it says in an error repeats no secret of that resource. Requests are shared
 * by many resources, so that the connection itself does not know all of them.
 */
export function discreet(service: Service, secrets: readonly string[]): Service {
  const redact = redactor(secrets);
  const withoutSecrets = (error: unknown): never => {
    throw error instanceof ControlPlaneError ? error.withWords(redact) : error;
  };
  return new Proxy(service, {
    get(target, name: keyof Service) {
      const method: unknown = target[name];
      if (typeof method !== "function") return method;
      return (...args: unknown[]): unknown => {
        const result: unknown = Reflect.apply(method, target, args);
        if (name === "overtime") return discreet(result as Service, secrets);
        return result instanceof Promise ? result.catch(withoutSecrets) : result;
      };
    },
  });
}
