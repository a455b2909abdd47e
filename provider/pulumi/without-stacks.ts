/**
 * The SDK takes the text of a stack four times for each property of a resource, for its report of promises that never end.
 * With source maps that is a third of the time of a program that declares hundreds of deployments.
 */

/**
 * Until the returned function is called, the text of a stack is empty, but for one that was asked for without a limit: from
 * that the SDK learns where in the program the resource is. An error that is thrown meanwhile keeps its stack: it is made
 * into a text when somebody first reads it. Nothing changes where the report was asked for.
 */
export function withoutStacks(): () => void {
  if (process.env["PULUMI_DEBUG_PROMISE_LEAKS"]) return () => {};
  const { prepareStackTrace } = Error;
  const format = prepareStackTrace ?? asNode;
  Error.prepareStackTrace = (error, frames) =>
    Error.stackTraceLimit === Infinity ? (format(error, frames) as unknown) : "";
  return () => {
    Error.prepareStackTrace = prepareStackTrace;
  };
}

/** As it is where nobody has said how. */
function asNode(error: Error, frames: readonly NodeJS.CallSite[]): string {
  return [String(error), ...frames.map((frame) => `    at ${String(frame)}`)].join("\n");
}
