import * as pulumi from "@pulumi/pulumi";

/**
 * Where the program passed secrets. The process that talks to the service gets plain values and could not tell which
 * of them must stay out of its messages. A list is named as a whole, and so is a map, where a key holds the dot that parts
 * the names.
 *
 * @param outputs names of properties that the program wants to be secret however they were passed
 */
export async function secretPaths(args: pulumi.Inputs, outputs: readonly string[] = []): Promise<string[]> {
  const found = await Promise.all(
    Object.entries(args ?? {})
      .filter(([name]) => name !== "secrets")
      .map(([name, value]) => pathsIn(value, name)),
  );
  // In which order a program names its arguments is no change.
  return [...new Set([...found.flat(), ...outputs.filter((name) => name !== "secrets")])].sort();
}

async function pathsIn(value: unknown, path: string): Promise<string[]> {
  if (pulumi.Output.isInstance(value) || value instanceof Promise || Array.isArray(value)) {
    return (await pulumi.isSecret(pulumi.output(value))) ? [path] : [];
  }
  if (typeof value !== "object" || value === null) return [];
  const found = await Promise.all(
    Object.entries(value).map(([key, inner]) => pathsIn(inner, key.includes(".") ? path : `${path}.${key}`)),
  );
  return found.flat();
}
