/** What passes between the engine and the provider process. */
import { opened } from "../../contract/support/resource";

export type Values = Readonly<Record<string, unknown>>;

/** A value as it arrives on the other side. The stock process refuses what is no JSON, and the resource is lost then. */
export function passed<T>(value: T): T {
  refuseForeign(value, "");
  return JSON.parse(JSON.stringify(value)) as T;
}

function refuseForeign(value: unknown, path: string): void {
  if (value === null || ["string", "boolean", "number"].includes(typeof value)) return;
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value ?? 0) === Object.prototype;
  if (!isPlain) throw new Error(`Unexpected struct type: ${typeof value} at ${path}`);
  for (const [key, inner] of Object.entries(value as object)) refuseForeign(inner, `${path}.${key}`);
}

/** Without the marks of secrets. */
export const open = (values: Values): Values => opened(values);

const signature = "4dabf18193072939515e22adb298388d";

/** What can be read in a result without a key: everything that is not marked as a secret. */
export function inClear(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inClear);
  if (typeof value !== "object" || value === null) return value;
  if (signature in value) return "[secret]";
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inClear(inner)]));
}
