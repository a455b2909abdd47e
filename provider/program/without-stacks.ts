/**
 * The SDK captures the stack four times for each property of a resource, to report promises that never end.
 * That takes a quarter of the processor time of a preview of 200 deployments.
 */
import * as pulumi from "@pulumi/pulumi";

type Constructor = abstract new (...args: never) => unknown;

/**
 * Until the returned function is called, stacks are captured only if they are asked for without a limit: from these the SDK
 * learns where in the program the resource is. The function gives the error that it is passed the stack of the constructor's
 * caller.
 *
 * Does nothing if the report was asked for, or if functions of the program run meanwhile: their errors need their own stacks.
 */
export function withoutStacks(
  opts: pulumi.ResourceOptions,
  constructor: Constructor,
): (thrown?: unknown) => void {
  if (process.env["PULUMI_DEBUG_PROMISE_LEAKS"] || hasTransformations(opts)) return () => {};
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  return (thrown) => {
    Error.stackTraceLimit = stackTraceLimit;
    if (thrown instanceof Error) Error.captureStackTrace(thrown, constructor);
  };
}

/** Those run within the constructor. A parent hands its own down, and the stack everybody's. */
function hasTransformations({ transformations, parent }: pulumi.ResourceOptions): boolean {
  const above = (parent ?? pulumi.runtime.getStackResource()) as
    { readonly __transformations?: readonly unknown[] } | undefined;
  return [transformations, above?.__transformations].some((each) => (each?.length ?? 0) > 0);
}
