/** The error for a name that is already taken, with what the user can do about it. */
import { DeploymentError } from "../errors";
import type { RunClaims } from "./claims";
import { type Context, resourceOf } from "./context";
import type { Observed } from "./service";
import { type CheckedArguments, deployedAs } from "./state";

/**
 * Creates the error, and protects the deployment that has the name from deletion in this run: if the resource was renamed, it is
 * the declared deployment.
 *
 * @param cause the refusal
 * @param found the deployment of that name, if the service shows it
 */
export function nameTaken(
  context: Context,
  declared: CheckedArguments,
  cause: Error,
  found?: Observed,
): DeploymentError {
  const resource = resourceOf(context, declared);
  if (found !== undefined) context.run.claim(deployedAs(found.id, found), resource, "failed");
  const text = `${cause.message}. ${nameTakenAdvice(context.run.compared, resource, declared, found)}`;
  return new DeploymentError(text, { cause });
}

function nameTakenAdvice(
  compared: RunClaims["compared"],
  resource: string,
  { adopt = false }: CheckedArguments,
  found: Observed | undefined,
): string {
  if (found !== undefined && compared.get(resource)?.id === found.id) {
    return (
      `The name belongs to this resource's own deployment ${found.id}, because the engine creates the replacement first: set the ` +
      "resource option `deleteBeforeReplace: true`"
    );
  }
  if (adopt) {
    return "The service's list has no deployment of that name to adopt: run `pulumi up` again, or choose another name";
  }
  const takeOver =
    "To take over the existing deployment (an interrupted `pulumi up` may have created it), set `adopt: true` or import it with " +
    "`deployment-service import`. Otherwise choose another name";
  if (compared.has(resource)) return takeOver;
  return (
    `If the resource was renamed in the program, set the resource option \`aliases\`. ${takeOver}. If \`--replace\` or ` +
    "`state taint` replaces this resource, set the resource option `deleteBeforeReplace: true`"
  );
}
