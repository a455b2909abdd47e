/**
 * The SDK captures the stack four times for each property of a resource, for its report of promises that never end.
 * With source maps that is a third of the time of a program that declares hundreds of deployments.
 */
import * as pulumi from "@pulumi/pulumi";

/**
 * Until the returned function is called, no stack is captured, but for one that is asked for without a limit: from that the
 * SDK learns where in the program the resource is. Nothing changes where the report was asked for, nor where functions of
 * the program run meanwhile, whose errors keep the line that threw them.
 */
export function withoutStacks(opts: pulumi.ResourceOptions): () => void {
  if (process.env["PULUMI_DEBUG_PROMISE_LEAKS"] || hasTransformations(opts)) return () => {};
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  return () => {
    Error.stackTraceLimit = stackTraceLimit;
  };
}

/** An error of the SDK's that was thrown meanwhile, with the stack of whoever called the constructor. */
export function withStack(error: unknown, constructor: abstract new (...args: never) => unknown): unknown {
  if (error instanceof Error && !/^ +at /m.test(error.stack ?? ""))
    Error.captureStackTrace(error, constructor);
  return error;
}

/** Those run within the constructor. A parent hands its own down, and the stack everybody's. */
function hasTransformations({ transformations, parent }: pulumi.ResourceOptions): boolean {
  const above = (parent ?? pulumi.runtime.getStackResource()) as
    { readonly __transformations?: readonly unknown[] } | undefined;
  return [transformations, above?.__transformations].some((each) => (each?.length ?? 0) > 0);
}
