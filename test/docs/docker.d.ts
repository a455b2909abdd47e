/** The part of `@pulumi/docker` that a document uses. The package itself would be too large. */
declare module "@pulumi/docker" {
  import type { Input, InvokeOutputOptions, Output } from "@pulumi/pulumi";

  export function getRegistryImageOutput(
    args: { name: Input<string> },
    opts?: InvokeOutputOptions,
  ): Output<{ id: string; name: string; sha256Digest: string }>;
}
