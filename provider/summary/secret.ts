/** Masks the secrets in a preview's values. */
import { isCredentialName } from "../text/credential";
import { signatureKey, unknownTexts } from "../signatures";
import { isObject, mapValues, type Values } from "../../schema/tree";

/** The engine's own placeholder for secrets in JSON. */
export const secretMark = "[secret]";
const unknownMark = "[known later]";

/**
 * Replaces secrets by marks, and omits internal inputs.
 * @param secretPaths paths that the program marked as secret: `sourceConfig.customUrl`
 * @param found called with each secret in clear
 */
export function maskSecrets(
  values: Values,
  secretPaths: readonly string[],
  found: (secret: string) => void = () => {},
): Values {
  const hide = (value: unknown): string => {
    for (const text of plainTextsIn(value)) if (text !== secretMark) found(text);
    return secretMark;
  };
  const walk = (value: unknown, path: string, name: string): unknown => {
    if (secretPaths.includes(path)) return hide(value);
    if (typeof value === "string") {
      if (isCredentialName(name)) return hide(value);
      return unknownTexts.has(value) ? unknownMark : value;
    }
    if (Array.isArray(value)) return value.map((item, index) => walk(item, `${path}[${index}]`, ""));
    if (!isObject(value)) return value;
    if (isSigned(value)) return hide(value);
    // A container's environment variable is an object with `name` and `value`.
    const own = typeof value["name"] === "string" ? value["name"] : "";
    return mapValues(value, (item, key) => walk(item, `${path}.${key}`, key === "value" ? own : key));
  };
  return mapValues(declaredIn(values), (value, key) => {
    if (key === "secrets") return isObject(value) && !isSigned(value) ? mapValues(value, hide) : hide(value);
    return key === "secretReferences" && !isSigned(value) ? value : walk(value, key, key);
  });
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
    return key === "plaintext" && typeof item === "string" ? plainTexts(item) : plainTextsIn(item);
  });
}

/** The engine stores a secret's value as JSON. */
function plainTexts(json: string): string[] {
  try {
    return [json, ...plainTextsIn(JSON.parse(json))];
  } catch {
    return [json];
  }
}
