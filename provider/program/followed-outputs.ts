/** Which outputs of other resources the arguments follow, for a preview in which these are not known yet. */
import * as pulumi from "@pulumi/pulumi";
import { formatPath, isObject, type Path } from "../../schema/tree";
import { isKnown } from "./without-dependencies";

/** Names of outputs that were made from others. */
const names = new WeakMap<object, string>();

/** Names an output after the one that it was made from. */
export function namedAfter<T>(output: pulumi.Output<T>, name: string | undefined): pulumi.Output<T> {
  if (name !== undefined) names.set(output, name);
  return output;
}

/** By path, the output that an unknown argument follows: `billing.url`, or `billing` if it was changed on the way. */
export async function followedOutputs(args: object): Promise<Record<string, string>> {
  const found = await Promise.all(
    laterParts(args).map(async ([path, part]): Promise<[string, string][]> => {
      const name = !pulumi.Output.isInstance(part) || (await isKnown(part)) ? undefined : nameOf(part);
      return name === undefined ? [] : [[formatPath(path), name]];
    }),
  );
  return Object.fromEntries(found.flat());
}

/** The parts of a value that may hold what comes later: outputs, promises and lists. */
export function laterParts(value: unknown, path: Path = []): [Path, unknown][] {
  if (pulumi.Output.isInstance(value) || value instanceof Promise || Array.isArray(value))
    return [[path, value]];
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => laterParts(inner, [...path, key]));
}

export function nameOf(output: pulumi.Output<unknown>): string | undefined {
  const own = names.get(output);
  if (own !== undefined) return own;
  // The SDK's types lack both properties.
  const { resources } = output as unknown as { resources?: () => Set<pulumi.Resource> };
  const [resource] = resources?.call(output) ?? [];
  if (resource === undefined) return undefined;
  const { __name: name } = resource as unknown as { __name?: string };
  const property = Object.entries(resource).find(([, value]) => value === output)?.[0];
  return name && [name, property].filter((part) => part !== undefined).join(".");
}
