/** Imports an existing deployment: derives its inputs, and the state that the next preview compares the program with. */
import { DeploymentError, MissingError } from "../errors";
import { madeBy, readUnmanaged, refuseOwned } from "../deployment/identity";
import type { Context } from "../deployment/context";
import { stateAsFound } from "../deployment/record";
import { isDeleting, runsOlder } from "../deployment/service";
import type { State } from "../deployment/state";
import { declaredArguments, takenOverUnsettled } from "../lookup/declared-arguments";

export async function importedState(context: Context, id: string): Promise<State> {
  const observed = await readUnmanaged(context, id);
  if (observed === undefined) throw new MissingError(`the id ${id}`);
  refuseOwned(observed);
  if (isDeleting(observed)) {
    throw new DeploymentError(`the deployment ${id} is being deleted (status ${observed.status})`);
  }
  const { dialect, log } = context;
  if (runsOlder(observed)) log.warning(takenOverUnsettled(observed));
  const { args } = declaredArguments(observed, dialect);
  const madeWith = madeBy(context, undefined, false);
  return stateAsFound({ arguments: args, generation: 1 }, observed, context, { madeWith });
}
