/** What of a preview's values is a secret, however it is spelled there. */
import { isCredentialName } from "../text/credential";
import { signatureKey, unknownTexts } from "../signatures";
import { isObject, mapValues, type Values } from "../../schema/tree";

/** What stands for a secret in the engine's own JSON. */
export const secretMark = "[secret]";
export const unknownMark = "[known later]";

/**
 * The values with marks where secrets are; what no person declared is left out.
 *
 * @param secretPaths what the program says is secret: `sourceConfig.customUrl`
 * @param found gets the secrets that stand there in clear
 */
export function withoutSecrets(
  values: Values,
  secretPaths: readonly string[],
  found: (secret: string) => void = () => {},
): Values {
  const hide = (value: unknown): string => {
    for (const text of textsIn(value)) if (text !== secretMark) found(text);
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
    // A variable of a container has its name beside its value.
    const own = typeof value["name"] === "string" ? value["name"] : "";
    return mapValues(value, (item, key) => walk(item, `${path}.${key}`, key === "value" ? own : key));
  };
  return mapValues(declaredIn(values), (value, key) => {
    if (key === "secrets") return isObject(value) && !isSigned(value) ? mapValues(value, hide) : hide(value);
    return key === "secretReferences" && !isSigned(value) ? value : walk(value, key, key);
  });
}

/** What is left of the inputs without those that no person writes. */
export function declaredIn(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !key.startsWith("__")));
}

/** A secret, or another value that is no plain one. */
export function isSigned(value: unknown): boolean {
  return isObject(value) && Object.hasOwn(value, signatureKey);
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    if (key === signatureKey || key === "ciphertext") return [];
    return key === "plaintext" && typeof item === "string" ? plainTexts(item) : textsIn(item);
  });
}

/** The engine keeps the value of a secret as JSON. */
function plainTexts(json: string): string[] {
  try {
    return [json, ...textsIn(JSON.parse(json))];
  } catch {
    return [json];
  }
}
