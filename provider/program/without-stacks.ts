/**
 * The SDK captures the stack four times for each property of a resource, to report promises that never settle.
 * That takes a quarter of the processor time of a preview of 200 deployments.
 */
import * as pulumi from "@pulumi/pulumi";

type Constructor = abstract new (...args: never) => unknown;

/**
 * Disables stack traces until the returned function is called, except for captures without a limit, which the SDK uses to locate
 * the resource in the program. The returned function gives the error passed to it the stack of the constructor's caller.
 *
 * Does nothing if the report is enabled, or if functions of the program run meanwhile: their errors need their own stacks.
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

/** Transformations run within the constructor. They are inherited from the parent, or else from the stack. */
function hasTransformations({ transformations, parent }: pulumi.ResourceOptions): boolean {
  const above = (parent ?? pulumi.runtime.getStackResource()) as
    { readonly __transformations?: readonly unknown[] } | undefined;
  return [transformations, above?.__transformations].some((each) => (each?.length ?? 0) > 0);
}
