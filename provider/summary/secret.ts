/** Masks the secrets in a preview's values. */
import { isCredentialName } from "../text/credential";
import { parseJson } from "../text/json";
import { signatureKey, unknownTexts } from "../signatures";
import { asObject, isObject, mapLeaves, mapValues, type Values } from "../../schema/tree";

/** The engine's own placeholder for secrets in JSON. */
export const secretMark = "[secret]";
const unknownMark = "[known later]";

/**
 * Replaces secrets by marks, and omits internal inputs.
 * @param secretPaths paths that the program marked as secret: `sourceConfig.customUrl`
 * @param found called with each secret in plain text, and whether its name in `secrets` is that of a credential
 */
export function maskSecrets(
  values: Values,
  secretPaths: readonly string[],
  found: (secret: string, isCredential: boolean) => void = () => {},
): Values {
  const hide = (value: unknown, isCredential = false): string => {
    for (const text of plainTextsIn(value)) if (text !== secretMark) found(text, isCredential);
    return secretMark;
  };
  const walk = (value: unknown, path: string, name: string): unknown => {
    if (secretPaths.includes(path)) return hide(value);
    if (typeof value === "string") {
      if (isCredentialName(name)) return hide(value);
      return shownText(value);
    }
    if (Array.isArray(value)) return value.map((item, index) => walk(item, `${path}[${index}]`, ""));
    if (!isObject(value)) return value;
    if (isSigned(value)) return hide(value);
    // A container's environment variable is an object with `name` and `value`.
    const own = typeof value["name"] === "string" ? value["name"] : "";
    return mapValues(value, (item, key) => walk(item, `${path}.${key}`, key === "value" ? own : key));
  };
  return mapValues(declaredIn(values), (value, key) => {
    if (key === "secrets") {
      const shown = opened(value);
      const hidden = mapValues(asObject(shown), (item, name) => hide(item, isCredentialName(name)));
      hide(value);
      return isObject(shown) && !isSigned(shown) ? hidden : secretMark;
    }
    // Names of secrets, which are none themselves.
    if (key === "secretReferences" && !isSigned(value)) return mapLeaves(value, shownText);
    return walk(value, key, key);
  });
}

function shownText(value: unknown): unknown {
  return typeof value === "string" && unknownTexts.has(value) ? unknownMark : value;
}

/** The inputs without internal ones. */
export function declaredIn(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !key.startsWith("__")));
}

/** Whether it is a secret or another specially encoded value. */
export function isSigned(value: unknown): boolean {
  return isObject(value) && Object.hasOwn(value, signatureKey);
}

function plainTextsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(plainTextsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    if (key === signatureKey || key === "ciphertext") return [];
    // The engine stores a secret's value as JSON.
    const isJson = key === "plaintext" && typeof item === "string";
    return isJson ? [item, ...plainTextsIn(parseJson(item))] : plainTextsIn(item);
  });
}

/** The value of a secret that the engine shows. */
function opened(value: unknown): unknown {
  if (!isObject(value) || !isSigned(value) || typeof value["plaintext"] !== "string") return value;
  const inner = parseJson(value["plaintext"]);
  return inner === undefined ? value : inner;
}
