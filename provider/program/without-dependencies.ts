/** Reads outputs without waiting for what they depend on. */
import type * as pulumi from "@pulumi/pulumi";

/**
 * Resolves an output without adding a dependency: a resource that depends on its parent component depends on all of the
 * component's children, and so on itself. Never resolves if the output has no value.
 */
export function withoutDependencies<T>(output: pulumi.Output<T>): Promise<T> {
  return new Promise((resolve) => void output.apply((value) => resolve(value as T)));
}

/** Whether the value of an output is known. The property is missing from the SDK's types. */
export function isKnown(output: pulumi.Output<unknown>): Promise<boolean> {
  return (output as pulumi.Output<unknown> & { readonly isKnown: Promise<boolean> }).isKnown;
}
