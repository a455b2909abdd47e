/**
 * The SDK takes the text of a stack four times for each property of a resource, for its report of promises that never end.
 * With source maps that is a third of the time of a program that declares hundreds of deployments.
 */

/**
 * Until the returned function is called, the text of a stack is empty. An error that is thrown meanwhile keeps its stack: it
 * is made into a text when somebody first reads it. Nothing changes where the report was asked for.
 */
export function withoutStacks(): () => void {
  if (process.env["PULUMI_DEBUG_PROMISE_LEAKS"]) return () => {};
  const { prepareStackTrace } = Error;
  Error.prepareStackTrace = () => "";
  return () => {
    Error.prepareStackTrace = prepareStackTrace;
  };
}
