/** Imports an existing deployment: derives its inputs, and the state that the next preview compares the program with. */
import { DeploymentError, MissingError } from "../errors";
import { madeBy, readHere } from "../deployment/identity";
import { withoutTokens } from "../deployment/lookup";
import type { Context } from "../deployment/context";
import { isDeleting } from "../deployment/service";
import { stateOf, type State } from "../deployment/state";
import { declaredArguments } from "../import/declared-arguments";
import { isObject, type Values } from "../../schema/tree";

export async function importedState(context: Context, id: string): Promise<State> {
  const observed = await readHere(context, id);
  if (observed === undefined) throw new MissingError(`the id ${id}`);
  if (isDeleting(observed)) {
    throw new DeploymentError(`the deployment ${id} is being deleted (status ${observed.status})`);
  }
  const { dialect } = context;
  const shown = withoutTokens(observed);
  const { args } = declaredArguments(shown, dialect);
  return stateOf({ arguments: args, generation: 1 }, shown, context, {
    madeWith: madeBy(context, shown, undefined, false),
    takenOver: true,
    unmanagedSecrets: Object.keys(shown.secrets ?? {}).sort(),
    filledIn: beside(args, declaredArguments(shown, dialect, { ...shown }).args),
  });
}

/** Values that a program may declare but need not, because the service fills them in. */
function beside(chosen: Values, all: Values): Values {
  const entries = Object.entries(all).flatMap(([name, value]): [string, unknown][] => {
    const own = chosen[name];
    if (!isObject(value) || !isObject(own)) return own === undefined ? [[name, value]] : [];
    const rest = beside(own, value);
    return Object.keys(rest).length > 0 ? [[name, rest]] : [];
  });
  return Object.fromEntries(entries);
}
