/** Sends a change: reads what the service has, and sends only what it does not have yet, with what belongs to others. */
import { withMissing } from "../../schema/tree";
import { DeletedError, DeploymentError, hasAmbiguousOutcome, isKind } from "../errors";
import { Tries } from "../time/tries";
import { isLikelyResultOfPatch, remainderOf, type SentUpdate } from "./lost-request";
import type { Context } from "./context";
import { reasonsText } from "./explanation";
import { refuseUnseen } from "./identity";
import { changedValues, patchAmongOthers, withoutIgnored } from "./patch";
import type { FieldChange } from "./field-change";
import { effectOf } from "./plan";
import type { Change } from "./record";
import { isDeleting, type Observed, type Patch, contentKey } from "./service";
import { type CheckedArguments, type Declared, revisionsIn, type State } from "./state";
import { deletingText } from "./wait-messages";

export interface Work {
  readonly id: string;
  readonly before: State;
  readonly declared: Declared;
  /** The deployment, if this operation has just read it. */
  readonly observed?: Observed | undefined;
}

/** @throws DeletedError if the service no longer has the deployment */
export async function send(context: Context, work: Work, changes: readonly FieldChange[]): Promise<Change> {
  const { id, before, declared } = work;
  const live = work.observed ?? (await readExisting(context, id, before));
  const { arguments: args } = declared;
  const left = remainderOf(changes, before, args, live, context);
  const makesRevision = effectOf(changes) === "revision";
  // The revision of an earlier change may have appeared meanwhile. It must not be mistaken for the one that this change makes.
  const isMade = makesRevision && effectOf(left) !== "revision";
  const appeared = before.private.rollout?.revision === null && !isMade ? revisionsIn(live) : [];
  const previous = [...new Set([...revisionsIn(before.observed), ...appeared])];
  // What the service has already counts as sent too.
  const sentWith = (patch: Patch) =>
    withoutIgnored(withMissing({ ...patch }, changedValues(changes, args)), context.ignoreChanges);
  if (left.length === 0) {
    context.log.info(
      isMade
        ? madeText(changes, live)
        : `the service has ${reasonsText(changes)} as declared already: nothing is sent`,
    );
    return { declared, sent: sentWith({}), makesRevision, previous, response: live };
  }
  const write = { previous, ...patchAmongOthers(context, left, before, args, live) };
  const { patch, args: uploaded } = await withUpload(context, id, write.patch, args);
  const response = await sendPatch(context, work, { ...write, patch }, effectOf(left) === "revision");
  return {
    declared: { ...declared, arguments: uploaded },
    sent: sentWith(patch),
    makesRevision,
    previous,
    updatedBefore: live.updatedAt,
    response,
  };
}

/** What the service has, before anything is sent. */
export async function readExisting(context: Context, id: string, before: State): Promise<Observed> {
  const observed = await context.service.read(id, { beforeWrite: true });
  if (observed === undefined) return refuseDeleted(context, before);
  if (isDeleting(observed)) throw new DeploymentError(deletingText(observed));
  return observed;
}

/** A key of another tenant does not see the deployment, which therefore does not count as deleted. */
async function refuseDeleted(context: Context, before: State, cause?: Error): Promise<never> {
  await refuseUnseen(before, context);
  throw new DeletedError(cause);
}

function madeText(changes: readonly FieldChange[], { latestRevisionId }: Observed): string {
  return (
    `revision ${latestRevisionId}, created since this stack's last operation (perhaps by an interrupted run), already has ` +
    `${reasonsText(changes)} as declared: no other revision is created`
  );
}

/** With the paths in the archive, and the arguments with the content that it has. */
async function withUpload(
  { service, sourceFolder }: Context,
  id: string,
  patch: Patch,
  args: CheckedArguments,
): Promise<{ patch: Patch; args: CheckedArguments }> {
  if (sourceFolder === undefined || patch.sourceRevisionConfig === undefined) return { patch, args };
  const archive = await sourceFolder.archive();
  const paths = {
    graphConfigPath: archive.configPath,
    sourceTarballPath: await service.upload(id, archive),
  };
  const sourceRevisionConfig = { ...patch.sourceRevisionConfig, ...paths };
  return {
    patch: { ...patch, revisionSource: "internal_source", sourceRevisionConfig },
    args: { ...args, [contentKey]: archive.content },
  };
}

/** The client retries changes of settings, which are idempotent. A revision is looked for before another try. */
async function sendPatch(
  context: Context,
  { id, before }: Work,
  write: SentUpdate,
  makesRevision: boolean,
): Promise<Observed> {
  const { service, clock, ...limits } = context;
  const tries = new Tries(clock, limits);
  let mayBeDone = false;
  for (;;) {
    try {
      return await service.update(id, write.patch, { makesRevision });
    } catch (error) {
      if (isKind(error, "not-found")) return refuseDeleted(context, before, error);
      const isAmbiguous = makesRevision && hasAmbiguousOutcome(error);
      mayBeDone ||= isAmbiguous;
      const response = mayBeDone ? await service.afterDeadline().read(id) : undefined;
      if (response && isLikelyResultOfPatch(write, before.arguments, response)) return response;
      if (!isAmbiguous) throw error;
      await tries.waitAfter(error);
    }
  }
}
