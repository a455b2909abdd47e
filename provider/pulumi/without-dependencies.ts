import type * as pulumi from "@pulumi/pulumi";

/** The value of an output, for what does not come to depend on its resource. Never resolves where there will be none. */
export function withoutDependencies<T>(output: pulumi.Output<T>): Promise<T> {
  return new Promise((resolve) => void output.apply((value) => resolve(value as T)));
}

/** Whether the value of an output is known. The SDK's outputs tell, and its types do not. */
export function isKnown(output: pulumi.Output<unknown>): Promise<boolean> {
  return (output as pulumi.Output<unknown> & { readonly isKnown: Promise<boolean> }).isKnown;
}
