/** The secrets among a preview's values, and the values without them. */
import { isCredentialName } from "../../provider/text/credential";
import { parseJson } from "../../provider/text/json";
import { redactor, type Redact } from "../../provider/text/redact";
import { signatureKey, unknownTexts } from "../../provider/text/signatures";
import {
  formatPath,
  isObject,
  mapLeaves,
  mapValues,
  textsIn,
  type Path,
  valueAt,
  type Values,
} from "../../schema/tree";
import type { PreviewStep, ResourceState } from "./preview";

/** The engine's own placeholder for secrets in JSON. */
export const secretMark = "[secret]";
export const unknownMark = "[known later]";

/** The arguments of a state, without internal ones. */
export function declaredInputs(state: ResourceState | undefined): Values {
  return Object.fromEntries(Object.entries(state?.inputs ?? {}).filter(([key]) => !key.startsWith("__")));
}

/** Removes the secrets that the steps show in plain text. */
export function redactorOf(steps: readonly PreviewStep[]): Redact {
  const secrets: string[] = [];
  const credentials: string[] = [];
  const collect = (value: unknown, isCredential: boolean) => {
    const texts = [value, opened(value)].flatMap(textsIn).filter((text) => text !== secretMark);
    secrets.push(...texts);
    if (isCredential) credentials.push(...texts);
  };
  for (const state of steps.flatMap(({ oldState, newState }) => [oldState, newState]))
    shownInputs(state, collect);
  return redactor(secrets, credentials);
}

/**
 * The arguments of a state, with marks in the place of secrets and unknown values.
 * @param found called with each secret, and whether its name in `secrets` is that of a credential
 */
export function shownInputs(
  state: ResourceState | undefined,
  found: (secret: unknown, isCredential: boolean) => void = () => {},
): Values {
  const hide = (value: unknown, isCredential = false): string => {
    found(value, isCredential);
    return secretMark;
  };
  const secretPaths = secretPathsOf(state);
  const walk = (value: unknown, path: string, name: string): unknown => {
    if (secretPaths.includes(path) || isSigned(value)) return hide(value);
    if (typeof value === "string") return isCredentialName(name) ? hide(value) : shownText(value);
    if (Array.isArray(value)) return value.map((item, index) => walk(item, `${path}[${index}]`, ""));
    if (!isObject(value)) return value;
    // A container's environment variable is an object with `name` and `value`.
    const own = typeof value["name"] === "string" ? value["name"] : "";
    return mapValues(value, (item, key) => walk(item, `${path}.${key}`, key === "value" ? own : key));
  };
  return mapValues(declaredInputs(state), (value, key) => {
    if (key === "secrets") {
      const whole = hide(value);
      const map = opened(value);
      if (!isObject(map) || isSigned(map)) return whole;
      return mapValues(map, (item, name) => hide(item, isCredentialName(name)));
    }
    // Names of secrets, which are none themselves.
    if (key === "secretReferences" && !isSigned(value)) return mapLeaves(value, shownText);
    return walk(value, key, key);
  });
}

/** The paths that the program marked as secret: `sourceConfig.customUrl`. */
function secretPathsOf(state: ResourceState | undefined): string[] {
  const paths = valueAt(state?.inputs, ["__options", "secretPaths"]);
  const named = Array.isArray(paths) ? paths.filter((path): path is Path => Array.isArray(path)) : [];
  return [...named.map(formatPath), ...(state?.additionalSecretOutputs ?? [])];
}

function shownText(value: unknown): unknown {
  return typeof value === "string" && unknownTexts.has(value) ? unknownMark : value;
}

/** Whether it is a secret or another specially encoded value. */
export function isSigned(value: unknown): boolean {
  return isObject(value) && Object.hasOwn(value, signatureKey);
}

/** The value of a secret that the engine shows. */
function opened(value: unknown): unknown {
  if (!isObject(value) || !isSigned(value) || typeof value["plaintext"] !== "string") return value;
  return parseJson(value["plaintext"]) ?? value;
}
