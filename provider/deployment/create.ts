/** Creates a deployment, and never two. */
import { valueAt, withValueAt } from "../../schema/tree";
import type { Dialect } from "../dialects";
import { sentencesText } from "../errors/advice";
import { DeploymentError, hasAmbiguousOutcome, isKind, messageOf } from "../errors";
import { Tries } from "../time/tries";
import { adopt } from "./adopt";
import { isLikelyResultOfPost } from "./lost-request";
import { refuseUnseen } from "./identity";
import { nameTaken } from "./name-taken";
import { withAfterFirstRevision } from "./field-change";
import { reconcile } from "./reconcile";
import { waitAndRecord, rolloutOf } from "./rollout";
import type { Context } from "./context";
import { type Archive, isDeleting, type Observed, contentKey } from "./service";
import type { CheckedArguments, Declared, State } from "./state";

/** Tolerance for clocks with a resolution of one second; milliseconds. */
const slack = 2_000;

/**
 * Creates the deployment, or adopts the one of its name, and waits until its revision is active. Keeps the deployment that it
 * replaces until then.
 *
 * @throws UnfinishedError with the state, if the deployment exists
 */
export async function create(context: Context, declared: Declared): Promise<{ id: string; state: State }> {
  const { run, claimant } = context;
  return run.claims.keepReplaced(claimant, async () => {
    // A resource that was compared in this run is being replaced. If this connection does not see the old deployment, the new one
    // would be created in another place, and the old one never deleted.
    const replaced = run.compared.get(claimant.resource);
    if (replaced !== undefined) await refuseUnseen(replaced.state, context);
    // Archives first, so that nothing is created if the folder is unusable.
    const archive = await context.sourceFolder?.archive();
    const existing = await findExisting(context, declared.arguments);
    const { observed, origin } = existing ?? (await post(context, declared.arguments, archive));
    // `ignoreChanges` begins with the first update: a create or an adoption sends everything declared.
    const withoutIgnoring = { ...context, ignoreChanges: undefined };
    const { id } = observed;
    if (origin === "adopted") return { id, state: await adopt(withoutIgnoring, declared, observed) };
    // The engine may be about to delete an older copy of the same deployment.
    run.claims.claim(id, claimant.resource, "keeps");
    const work = () => finishCreation(withoutIgnoring, declared, observed, archive);
    // What was found after a lost response may be an older copy, and is not marked.
    return { id, state: await (origin === "created" ? run.markResult(work) : work()) };
  });
}

/** Records what the POST made, then updates it with what a POST cannot take: the folder and what follows the first revision. */
async function finishCreation(
  context: Context,
  declared: Declared,
  response: Observed,
  archive: Archive | undefined,
): Promise<State> {
  const isFolder = archive !== undefined;
  const { [contentKey]: _, ...withoutContent } = declared.arguments;
  const args = withAfterFirstRevision(isFolder ? withoutContent : declared.arguments, response);
  const change = {
    // Not counted yet: the upload that follows makes a folder's first revision.
    declared: { arguments: args, generation: isFolder ? 0 : declared.generation },
    sent: acceptedOnCreation(args, archive),
    makesRevision: true,
    response,
    previous: [],
  };
  const rollout = isFolder ? undefined : rolloutOf(context, change);
  const { state: before, observed } = await waitAndRecord(context, change, rollout, undefined);
  return reconcile(context, { id: response.id, before, observed, declared }, true);
}

/** The deployment to adopt. If names are not unique on the service, throws if one already has the name. */
async function findExisting(context: Context, declared: CheckedArguments): Promise<Found | undefined> {
  const { adopt, name } = declared;
  if (!adopt && context.dialect.uniqueNames) return undefined;
  const { deployment: observed } = await context.service.find(name);
  if (observed === undefined || isDeleting(observed)) return undefined;
  if (adopt) return { observed, origin: "adopted" };
  const exists = new Error(`a deployment of this name already exists (id ${observed.id})`);
  throw nameTaken(context, declared, exists, observed);
}

interface Found {
  readonly observed: Observed;
  /** `found`: after this call lost the response. `adopted`: made by someone else or a killed run. */
  readonly origin: "created" | "found" | "adopted";
}

/** Sends the POST. If it is unclear whether it succeeded, looks the deployment up, and takes only what this call made. */
async function post(
  context: Context,
  declared: CheckedArguments,
  archive: Archive | undefined,
): Promise<Found> {
  const { service, clock, dialect } = context;
  const started = clock.now();
  const tries = new Tries(clock, context);
  const body = withRequired(acceptedOnCreation(declared, archive), dialect);
  /** Whether one of the tries may have created it. */
  let mayExist = false;
  for (;;) {
    try {
      return { observed: await service.create(body), origin: "created" };
    } catch (error) {
      mayExist ||= hasAmbiguousOutcome(error);
      const isTaken = isKind(error, "conflict");
      if (!mayExist && !isTaken) throw error;
      const { deployment: observed, serverTime } = await service
        .afterDeadline()
        .find(declared.name)
        .catch((cause: unknown) => {
          throw mayExist ? outcomeUnknown(error, cause) : nameTaken(context, declared, error as Error);
        });
      // When the first POST was sent, by the service's clock.
      const earliest = (serverTime ?? clock.now()) - (clock.now() - started) - slack;
      if (mayExist && observed !== undefined && isLikelyResultOfPost(declared, observed, earliest))
        return { observed, origin: "found" };
      if (isTaken && observed !== undefined) {
        if (declared.adopt && !isDeleting(observed)) return { observed, origin: "adopted" };
        throw nameTaken(context, declared, error, observed);
      }
      // If the service itself says what else reserves the name, its error is the better one.
      if (isTaken && error.advice === undefined) throw nameTaken(context, declared, error);
      if (!hasAmbiguousOutcome(error)) throw error;
      await tries.waitAfter(error);
    }
  }
}

/** Without what follows once a revision is active, and with the path of the graph configuration in the archive. */
function acceptedOnCreation(args: CheckedArguments, archive: Archive | undefined): CheckedArguments {
  const accepted = withAfterFirstRevision(args, {});
  if (archive === undefined) return accepted;
  return withValueAt(accepted, ["sourceRevisionConfig", "graphConfigPath"], archive.configPath);
}

/** The declared arguments, with values that the service requires even if the program does not set them. */
function withRequired(declared: CheckedArguments, { sentOnCreate }: Dialect): CheckedArguments {
  return Object.entries(sentOnCreate[declared.source] ?? {})
    .map(([path, value]) => ({ path: path.split("."), value }))
    .filter(({ path }) => valueAt(declared, path) === undefined)
    .reduce((all, { path, value }) => withValueAt(all, path, value), declared);
}

function outcomeUnknown(error: unknown, cause: unknown): DeploymentError {
  return new DeploymentError(
    `${messageOf(error)}. It is not known whether the deployment was created, because looking it up also failed: ` +
      `${sentencesText(cause)} If the next \`pulumi up\` finds the name taken, set \`adopt: true\` once`,
  );
}
