/** Finds which arguments a program passes as secrets. */
import * as pulumi from "@pulumi/pulumi";
import { formatPath, type Path } from "../../schema/tree";
import { parsePropertyPaths } from "../../schema/property-path";
import { laterParts } from "./followed-outputs";

/**
 * The paths of arguments that the program passed as secrets. The provider process gets plain values, and needs the paths to
 * redact its messages. Paths end at lists.
 *
 * @param outputs names from the resource option `additionalSecretOutputs`
 */
export async function secretPaths(args: pulumi.Inputs, outputs: readonly string[] = []): Promise<Path[]> {
  const isOther = (path: Path) => path[0] !== "secrets";
  const found = await Promise.all(
    laterParts(args)
      .filter(([path]) => isOther(path))
      .map(async ([path, part]) => ((await pulumi.isSecret(pulumi.output(part))) ? [formatPath(path)] : [])),
  );
  // Sorted, because the order of the arguments must not count as a change.
  return parsePropertyPaths([...new Set([...found.flat(), ...outputs])].sort()).filter(isOther);
}
