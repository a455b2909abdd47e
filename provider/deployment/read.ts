/** Reads a deployment, and updates the declared arguments with drift. */
import { setFields } from "../../schema/rows";
import { formatPath } from "../../schema/tree";
import { MissingError } from "../errors";
import { replacedContent } from "./content";
import { effectAt } from "./field-change";
import { madeBy, readManaged, readUnmanaged, refuseOwned } from "./identity";
import { compare, isDrift, type Row, withLive } from "./merge";
import { normalizationText } from "./record";
import { hasOtherArchive, shownAfterRead } from "./shown";
import { identifyRevision, isRolledOut, rolloutSince } from "./awaited-revision";
import type { Context } from "./context";
import { contentKey, isDeleting, type Observed } from "./service";
import type { Rollout } from "./private-state";
import { outputsFrom, revisionsIn, type State } from "./state";

/** Undefined if the deployment was deleted. */
export async function read(context: Context, id: string, state: State): Promise<State | undefined> {
  return state.generation === undefined ? readUndeclared(context, id, state) : refresh(context, id, state);
}

/** A deployment that no program declares has no drift. */
async function readUndeclared(context: Context, id: string, state: State): Promise<State | undefined> {
  const observed = await readUnmanaged(context, id, state);
  if (observed !== undefined && !isDeleting(observed)) {
    const { secrets = {}, secretReferences } = observed;
    const args = setFields({ ...observed, secrets, secretReferences: secretReferences ?? {} });
    return { arguments: args, observed: outputsFrom(observed), private: {} };
  }
  const wasRead = state.observed.status !== undefined;
  if (observed === undefined && !wasRead) throw new MissingError(`the id ${id}`);
  return undefined;
}

async function refresh(context: Context, id: string, state: State): Promise<State | undefined> {
  const observed = await readManaged(context, id, state);
  if (observed === undefined || isDeleting(observed)) return undefined;
  // An import file brings a state with it, so its deployment reads as a managed one.
  refuseOwned(observed);

  const { dialect, log } = context;
  const { arguments: declared, generation, private: remembered } = state;
  const previous = revisionsIn(state.observed);
  const isNew = observed.latestRevisionId !== null && !previous.includes(observed.latestRevisionId);
  const isBeforeWrite = observed.updatedAt !== null && observed.updatedAt === state.observed.updatedAt;
  // This response is older than what this stack has sent: it shows nothing of that.
  if (remembered.sent !== undefined && !isNew && isBeforeWrite) return state;
  // Only in this stack's first revision may a digest be the declared tag, resolved after the rollout.
  const isResolvable = !isNew || previous.length === 0;
  const { shown, sent } = remembered;
  const compared = compare({ declared, live: observed, shown, sent });
  const rows = compared.filter((each) => !isResolvable || !isDigestOf(each));
  const effectOf = ({ path }: Row) => effectAt(path, dialect);
  // What can never change is as declared, whatever the service shows.
  const isFixed = (each: Row) => effectOf(each) === "replacement";
  const drift = rows.filter((each) => isDrift(each) && !isFixed(each));
  for (const each of rows.filter(({ whose }) => whose === "service"))
    log.warning(normalizationText(each, context));
  for (const { path } of rows.filter((each) => isDrift(each) && isFixed(each))) {
    log.warning(
      `the service reports a different ${formatPath(path)} than declared. That value can never change, so the difference ` +
        "is ignored and does not count as drift",
    );
  }
  const isRedeployed = declared[contentKey] !== undefined && hasOtherArchive(observed, remembered);
  const args = { ...withLive(declared, drift), ...(isRedeployed && { [contentKey]: replacedContent }) };

  // A killed run recorded nothing, so its change shows as drift, and its rollout may still be in progress. A revision that
  // the state knows already is someone else's, whose values `ignoreChanges` left alone.
  const isRevised = isRedeployed || drift.some((each) => effectOf(each) === "revision");
  const begun = isNew && isRevised ? { ...rolloutSince(observed, previous), isUncounted: true } : undefined;
  return {
    arguments: args,
    generation,
    observed: outputsFrom(observed),
    private: {
      ...remembered,
      madeWith: madeBy(context, remembered.madeWith, false),
      rollout: unlessFinished(state, observed, remembered.rollout ?? begun),
      ...shownAfterRead({ args, before: state, dialect, live: observed, rows }),
    },
  };
}

/** `registry.example.com/chat:1` is shown as `registry.example.com/chat@sha256:…` */
function isDigestOf({ path, wants, is }: Row): boolean {
  if (formatPath(path) !== "sourceRevisionConfig.imageUri" || typeof is !== "string") return false;
  const [name, digest] = is.split("@");
  const untagged = (image: unknown) => String(image).replace(/:[^:/@]*$/, "");
  const isPinned = String(wants).includes("@");
  return digest?.startsWith("sha256:") === true && !isPinned && untagged(name) === untagged(wants);
}

/** The rollout, unless it has finished. With `ready`, an active revision is not finished until it has answered. */
function unlessFinished(state: State, observed: Observed, rollout: Rollout | undefined): Rollout | undefined {
  const { ready, skipAwait } = state.arguments;
  const isChecked = ready !== undefined && skipAwait !== true;
  if (rollout === undefined || (!isChecked && isRolledOut(observed, rollout))) return undefined;
  return identifyRevision(rollout, observed);
}
