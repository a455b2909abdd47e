/** Carries out the steps that lead from the state before to what is declared, and records the state after each. */
import { contentKey } from "./service";
import { formatPath } from "../../schema/tree";
import { DeletedError, DeploymentError, messageOf } from "../errors";
import { type FieldChange, isAfterFirstRevision, withAfterFirstRevision } from "./field-change";
import { plan } from "./plan";
import { waitAndRecord, rolloutOf } from "./rollout";
import { outcomeOf } from "./awaited-revision";
import { readExisting, send, type Work } from "./send";
import { shownAfterWrite } from "./shown";
import type { Context } from "./context";
import { type Declared, type State, UnfinishedError } from "./state";
import * as texts from "./wait-messages";

type Done = Awaited<ReturnType<typeof waitAndRecord>>;

/**
 * @param isMade whether this operation has made the deployment, or changed it: then every failure carries the state
 * @throws UnfinishedError with the state, if the service accepted a change but its rollout did not succeed
 */
export async function reconcile(context: Context, work: Work, isMade = false): Promise<State> {
  const { id, before, declared } = work;
  const { now, later, resumes } = plan(before, declared, context.dialect);
  const waits = !isMade && (resumes || later.length > 0);
  if (now.length === 0 && !waits)
    return later.length === 0 ? unchanged(context, before, declared) : leftOpen(context, id, before, later);
  const { arguments: args, generation } = declared;
  const sentNow = later.length > 0 ? withAfterFirstRevision(args, before.arguments) : args;
  const ofNow = { ...work, declared: { arguments: sentNow, generation } };
  const names = namesOf(now);
  if (isMade && names !== "")
    context.log.info(`sends ${names}, which the service does not accept on creation`);
  const step = now.length === 0 ? onlyWait(context, ofNow) : sendAndWait(context, ofNow, now);
  const { state, observed } = await step.catch((error: unknown) => {
    throw isMade ? unfinished(error, id, before, names) : error;
  });
  if (later.length === 0) return state;
  // Keeps the content digest as uploaded, not as declared.
  const content = state.arguments[contentKey];
  const uploaded = content === undefined ? args : { ...args, [contentKey]: content };
  // Plans again: the service may have filled in the rest.
  return reconcile(
    context,
    { id, before: state, observed, declared: { arguments: uploaded, generation } },
    true,
  );
}

function unfinished(error: unknown, id: string, before: State, names: string): UnfinishedError {
  if (error instanceof UnfinishedError) return error;
  const isGone = error instanceof DeletedError;
  const text = isGone ? messageOf(error) : `${messageOf(error)}. ${texts.stillMissing(names)}`;
  return new UnfinishedError(text, id, before, { cause: error });
}

function unchanged({ dialect }: Context, before: State, declared: Declared): State {
  const shown = shownAfterWrite({ args: declared.arguments, before, dialect });
  return { ...before, ...declared, private: { ...before.private, ...shown } };
}

async function sendAndWait(context: Context, work: Work, now: readonly FieldChange[]): Promise<Done> {
  const change = await send(context, work, now);
  const rollout = change.makesRevision ? rolloutOf(context, change) : work.before.private.rollout;
  return waitAndRecord(context, change, rollout, work.before);
}

/** Still no active revision: leaves these fields to the next `up`; fails if the revision failed. */
function leftOpen(
  { dialect, log }: Context,
  id: string,
  before: State,
  later: readonly FieldChange[],
): State {
  const { observed } = before;
  if (outcomeOf(observed, dialect) === "failed")
    throw new UnfinishedError(texts.neverActive(namesOf(later), observed.latestRevisionStatus!), id, before);
  log.info(`no revision is active yet: the first \`pulumi up\` after one is active sends ${namesOf(later)}`);
  return before;
}

function namesOf(changes: readonly FieldChange[]): string {
  const paths = changes.map(({ path }) => path).filter(isAfterFirstRevision);
  return paths.map(formatPath).join(" and ");
}

/** Nothing to send, but an earlier rollout to wait for: that of the state, or the first one if no revision is active. */
async function onlyWait(context: Context, { id, before, declared, observed }: Work): Promise<Done> {
  const { rollout: unfinishedRollout } = before.private;
  const response =
    observed ??
    (await readExisting(context, id, before).catch((error: unknown) => {
      const isNew = error instanceof DeletedError && unfinishedRollout?.previous.length === 0;
      throw isNew ? new DeploymentError(texts.notListed) : error;
    }));
  const change = { declared, sent: {}, makesRevision: false, response, previous: [] };
  const rollout =
    unfinishedRollout ?? (response.activeRevisionId === null ? rolloutOf(context, change) : undefined);
  return waitAndRecord(context, change, rollout, before);
}
