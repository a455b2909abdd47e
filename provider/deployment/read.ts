/** Reads a deployment, and updates the declared arguments with drift. */
import { formatPath, type Path } from "../../schema/tree";
import { MissingError } from "../errors";
import { contentKey } from "../internal-inputs";
import { replacedContent } from "./content";
import { planUpdate } from "./plan";
import {
  madeBy,
  readHere,
  refuseAnother,
  refuseBlindKey,
  refuseOtherSettings,
  refusePreviewBuild,
} from "./identity";
import { withoutImmutableDrift } from "./immutable";
import { resultOf } from "./lookup";
import { detectDrift, reportNormalizations } from "./normalized";
import { rolloutSince } from "./rollout";
import type { Context } from "./context";
import { isDeleting, type Observed } from "./service";
import type { Rollout } from "./private-state";
import { revisionsIn, type State, stateOf } from "./state";
import { pickArguments } from "./stored";
import { isRolledOut, identifyRevision } from "./wait";

/** Undefined if the deployment was deleted. */
export async function read(context: Context, id: string, state: State): Promise<State | undefined> {
  return state.generation === undefined ? readUnmanaged(context, id, state) : refresh(context, id, state);
}

/** A deployment that no program declares has no drift. */
async function readUnmanaged(context: Context, id: string, state: State): Promise<State | undefined> {
  const observed = await readHere(context, id, state);
  if (observed !== undefined) refusePreviewBuild(observed);
  if (observed !== undefined && !isDeleting(observed))
    return stateOf({ arguments: pickArguments(resultOf(observed)) }, observed, context);
  const wasRead = state.observed.status !== undefined;
  if (observed === undefined && !wasRead) throw new MissingError(`the id ${id}`);
  return undefined;
}

async function refresh(context: Context, id: string, state: State): Promise<State | undefined> {
  refuseOtherSettings(state, context);
  const observed = await readHere(context, id, state);
  if (observed === undefined) await refuseBlindKey(context, state);
  if (observed === undefined || isDeleting(observed)) return undefined;
  refuseAnother(context, state, observed);

  const { dialect, log } = context;
  const { arguments: own, generation, private: remembered } = state;
  const found = detectDrift(own, observed, remembered.normalizations);
  const { normalizations } = found;
  reportNormalizations(context, String(own.name), normalizations, remembered.normalizations);
  const drift = withoutImmutableDrift(own, found.arguments, dialect);
  for (const path of drift.contradicted) log.warning(immutableContradicted(state, path));
  const isRedeployed = own[contentKey] !== undefined && hasOtherArchive(observed, remembered.uploaded);
  const declared = { ...drift.values, ...(isRedeployed && { [contentKey]: replacedContent }) };

  // A killed run recorded nothing, so its change shows as drift, and its rollout may still be in progress. A revision that the
  // state knows is somebody else's, whose values `ignoreChanges` left alone.
  const known = revisionsIn(state.observed);
  const isRevised = planUpdate(state, { arguments: declared }, dialect).kind === "revision";
  const isNew = observed.latestRevisionId !== null && !known.includes(observed.latestRevisionId);
  const begun =
    isRevised && isNew ? { ...rolloutSince(context, observed, known), isUncounted: true } : undefined;
  return stateOf({ arguments: declared, generation }, observed, context, {
    ...remembered,
    madeWith: madeBy(context, observed, state, false),
    rollout: unfinished(state, observed, remembered.rollout ?? begun),
    normalizations,
  });
}

/** The rollout, unless it has finished. With `ready`, an active revision is not finished until it has answered. */
function unfinished(state: State, observed: Observed, rollout: Rollout | undefined): Rollout | undefined {
  const { ready, skipAwait } = state.arguments;
  const isChecked = ready !== undefined && skipAwait !== true;
  if (rollout === undefined || (!isChecked && isRolledOut(observed, rollout))) return undefined;
  return identifyRevision(rollout, observed);
}

/** Whether the service runs a different archive than this stack deployed. */
function hasOtherArchive({ sourceRevisionConfig }: Observed, uploaded: string | undefined): boolean {
  const shown = sourceRevisionConfig["sourceTarballPath"];
  return uploaded !== undefined && typeof shown === "string" && shown !== uploaded;
}

function immutableContradicted({ arguments: { name } }: State, path: Path): string {
  return (
    `${name}: the service reports a different ${formatPath(path)} than declared. That value can never change, so the difference ` +
    "is ignored and does not count as drift"
  );
}
