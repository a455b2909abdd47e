/** What passes between the engine and the provider process. */

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
