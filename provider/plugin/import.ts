/** What a program would declare to get an existing deployment, and the state that the next preview compares it with. */
import { DeploymentError, MissingError } from "../errors";
import { madeBy, readHere } from "../deployment/identity";
import { withoutTokens } from "../deployment/lookup";
import { isDeleting, resourceOf, type Context, type Observed } from "../deployment/service";
import { deployedAs, stateOf, type State } from "../deployment/state";
import { undeclaredIn } from "../deployment/undeclared";
import { declaredArguments } from "../import/declared-arguments";
import { optionsKey } from "../internal-inputs";
import type { Values } from "../values";

/** @param values what the engine says of the resource */
export async function importedState(context: Context, id: string, values: Values): Promise<State> {
  const observed = await readHere(context, id, {});
  if (observed === undefined) throw new MissingError(id);
  if (isDeleting(observed)) {
    throw new DeploymentError(`the deployment ${id} is being deleted (status ${observed.status})`);
  }
  context.run.claim(deployedAs(id, observed), resourceOf(context, { name: observed.name }), "keeps");
  const { dialect } = context;
  const shown = withoutTokens(observed);
  const { args } = declaredArguments(shown, dialect, defaultsOf(shown));
  const declared = { ...args, generation: 1, [optionsKey]: values[optionsKey] };
  return stateOf(declared, shown, dialect, {
    madeWith: madeBy(context, shown, {}, false),
    unmanagedSecrets: Object.keys(shown.secrets ?? {}).sort(),
    undeclared: undeclaredIn(args, shown, dialect),
  });
}

/**
 * What a program may state although the service would fill it in: the import has it too, so that stating it is no change.
 * An address that the service chose is not the program's to state.
 */
function defaultsOf({ sourceConfig: { customUrl: _, ...sourceConfig }, ...observed }: Observed): Values {
  return { ...observed, sourceConfig };
}
