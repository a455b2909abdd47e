/**
 * The SDK captures the stack four times for each property of a resource, for its report of promises that never end.
 * With source maps that is a third of the time of a program that declares hundreds of deployments.
 */
import * as pulumi from "@pulumi/pulumi";

type Constructor = abstract new (...args: never) => unknown;

/**
 * Until the returned function is called, no stack is captured, but for one that is asked for without a limit: from that the
 * SDK learns where in the program the resource is. That function returns what it is given: an error of the SDK's with the
 * stack of whoever called the constructor.
 *
 * Nothing changes where the report was asked for, nor where functions of the program run meanwhile, whose errors keep the
 * line that threw them.
 */
export function withoutStacks(
  opts: pulumi.ResourceOptions,
  constructor: Constructor,
): (thrown?: unknown) => unknown {
  if (process.env["PULUMI_DEBUG_PROMISE_LEAKS"] || hasTransformations(opts)) return (thrown) => thrown;
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  return (thrown) => {
    Error.stackTraceLimit = stackTraceLimit;
    if (thrown instanceof Error) addStack(thrown, constructor);
    return thrown;
  };
}

/** To an error that has none. */
function addStack(error: Error, constructor: Constructor): void {
  try {
    const { stack = "", message } = error;
    if (stack.endsWith(message) && !/\n +at /.test(stack)) Error.captureStackTrace(error, constructor);
  } catch {
    // One that lets nobody do that is thrown as it is.
  }
}

/** Those run within the constructor. A parent hands its own down, and the stack everybody's. */
function hasTransformations({ transformations, parent }: pulumi.ResourceOptions): boolean {
  const above = (parent ?? pulumi.runtime.getStackResource()) as
    { readonly __transformations?: readonly unknown[] } | undefined;
  return [transformations, above?.__transformations].some((each) => (each?.length ?? 0) > 0);
}
