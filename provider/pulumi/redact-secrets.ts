import { argumentsIn } from "../deployment/state";
import { isObject, textsIn, type Values } from "../values";
import { longestText, sanitize } from "../text/sanitize";
import { type Redact, redactor, redactorOfOwnWords } from "../text/redact";
import { contextOf } from "../internal-inputs";
import { ControlPlaneError } from "../errors";
import type { Service } from "../deployment/service";
import { waitingText, type Limits } from "../limits";

/** Every text in the arguments that is a secret, by its kind or because the program passed it as one. */
export function secretsIn(values: Values): string[] {
  return [values["secrets"], ...secretPathsOf(values).map((path) => valueAt(values, path))].flatMap(textsIn);
}

/** Every text in the arguments that is no secret, and is none of the secret values either. */
export function openTextsIn(...all: readonly Values[]): string[] {
  const secrets = new Set(all.flatMap(secretsIn));
  const open = all.map((values) => ({ ...argumentsIn(values), secrets: undefined }));
  return open.flatMap(textsIn).filter((text) => !secrets.has(text));
}

/**
 * Takes the secrets of a resource out of what is written about it here, which is one line for a terminal.
 *
 * @param all the resource, and what it was before
 */
export function redactorFor(...all: readonly Values[]): Redact {
  return onceNeeded(() => {
    const shown = { kept: all.flatMap(identityOf), open: openTextsIn(...all) };
    const ordinary = redactorOfOwnWords(all.flatMap(secretsIn), shown);
    const spoken = redactor(all.flatMap(spokenSecretsIn), shown);
    return (text) => spoken(ordinary(sanitize(text, longestText)));
  });
}

/** Of most resources nothing is ever said. */
function onceNeeded(make: () => Redact): Redact {
  let made: Redact | undefined;
  return (text) => (made ??= make())(text);
}

/** Single arguments, which messages may repeat. Passed as secrets, they are taken out however ordinary they look. */
function spokenSecretsIn(values: Values): string[] {
  return secretPathsOf(values)
    .map((path) => valueAt(values, path))
    .filter((value) => typeof value === "string");
}

/** What a resource is called by, and what is no secret of it. */
function identityOf(values: Values): string[] {
  const names = ["name", "tenantId", "latestRevisionId", "activeRevisionId"];
  return names
    .filter((name) => !secretPathsOf(values).includes(name))
    .flatMap((name) => textsIn(values[name]));
}

function secretPathsOf(values: Values): readonly string[] {
  return contextOf(values).secretPaths ?? [];
}

/** What holds the value as a whole, where the path cannot be followed to its end. */
function valueAt(values: Values, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((at, part) => (isObject(at) && Object.hasOwn(at, part) ? at[part] : at), values);
}

/**
 * Takes the secrets of a resource out of what the service says.
 *
 * @param all the resource, and what it was before
 */
export function serviceWords(...all: readonly Values[]): Redact {
  return onceNeeded(() => redactor(all.flatMap(secretsIn), { open: openTextsIn(...all) }));
}

/**
 * The service as one resource sees it: what it says in an error repeats no secret of that resource. Requests are shared
 * by many resources, so that the connection itself does not know all of them.
 */
export function redactErrors(service: Service, redact: Redact): Service {
  const withoutSecrets = (error: unknown): never => {
    throw error instanceof ControlPlaneError ? error.withServiceText(redact) : error;
  };
  return new Proxy(service, {
    get(target, name: keyof Service) {
      const method: unknown = target[name];
      if (typeof method !== "function") return method;
      return (...args: unknown[]): unknown => {
        const result: unknown = Reflect.apply(method, target, args);
        if (name === "overtime") return redactErrors(result as Service, redact);
        if (name === "logTail" || name === "logSoFar") return (result as Promise<string>).then(redact);
        return result instanceof Promise ? result.catch(withoutSecrets) : result;
      };
    },
  });
}

/** Says what an operation on a resource waits for, the service's words without the resource's secrets. */
export function tellWith(say: (text: string) => void, name: string, redact: Redact): Limits["tell"] {
  return (waitsFor, time) => {
    const shown = waitsFor instanceof ControlPlaneError ? waitsFor.withServiceText(redact) : waitsFor;
    say(`${name}: ${waitingText(shown, time)}`);
  };
}
