/** Finds which arguments a program passes as secrets. */
import * as pulumi from "@pulumi/pulumi";
import { formatPath, type Path } from "../../schema/tree";
import { parsePropertyPaths } from "../../schema/property-path";

/**
 * The paths of arguments that the program passed as secrets. The provider process gets plain values, and needs the paths to
 * redact its messages. Paths end at lists.
 *
 * @param outputs names from the resource option `additionalSecretOutputs`
 */
export async function secretPaths(args: pulumi.Inputs, outputs: readonly string[] = []): Promise<Path[]> {
  const found = await Promise.all(
    Object.entries(args)
      .filter(([name]) => name !== "secrets")
      .map(([name, value]) => pathsIn(value, [name])),
  );
  // Sorted, because the order of the arguments must not count as a change.
  return parsePropertyPaths(
    [...new Set([...found.flat(), ...outputs.filter((name) => name !== "secrets")])].sort(),
  );
}

async function pathsIn(value: unknown, path: Path): Promise<string[]> {
  if (pulumi.Output.isInstance(value) || value instanceof Promise || Array.isArray(value)) {
    return (await pulumi.isSecret(pulumi.output(value))) ? [formatPath(path)] : [];
  }
  if (typeof value !== "object" || value === null) return [];
  const found = await Promise.all(
    Object.entries(value).map(([key, inner]) => pathsIn(inner, [...path, key])),
  );
  return found.flat();
}
