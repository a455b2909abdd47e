import type * as pulumi from "@pulumi/pulumi";

/** The value of an output, for what does not come to depend on its resource. Never resolves where there will be none. */
export function withoutDependencies<T>(output: pulumi.Output<T>): Promise<T> {
  return new Promise((resolve) => void output.apply((value) => resolve(value as T)));
}
