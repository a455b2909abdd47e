/**
 * Creating without ever creating twice. A POST is not repeated blindly: after a response that leaves open whether
 * it was done, the deployment is looked up by its exact name, and taken only if it is this call's own work.
 */
import {
  DeploymentError,
  hasAmbiguousOutcome,
  isKind,
  messageOf,
  saysWhenToRetry,
  sentencesOf,
} from "../errors";
import type { Dialect } from "../dialects";
import { pause } from "../limits";
import { type Context, isDeleting, type Observed, resourceOf } from "./service";
import { type Created, takeOver } from "./adopt";
import { waitForDeletion } from "./delete";
import { canBeCreated } from "./recognize";
import { argumentsIn, deployedAs, type Declared } from "./state";
import { valueAt, withValueAt } from "../values";

const attempts = 4;
/** Clocks answer in whole seconds. */
const slack = 2_000;

export async function adoptOrCreate(context: Context, declared: Declared): Promise<Created> {
  const { adopt, name } = declared;
  if (adopt || !context.dialect.uniqueNames) {
    const { deployment } = await context.service.find(name);
    const isGoing = deployment === undefined || isDeleting(deployment);
    if (!isGoing && adopt) return takeOver(context, declared, deployment);
    if (!isGoing) throw alreadyThere(context, declared, deployment);
  }
  const made = await createOnce(context, declared);
  // It may also be what was there before, which the engine is about to delete as replaced.
  context.run.claim(deployedAs(made.observed.id, made.observed), resourceOf(context, declared), "has");
  return { ...made, hasRollout: true, previous: [], written: { sent: argumentsIn(declared) } };
}

async function createOnce(
  context: Context,
  declared: Declared,
): Promise<Pick<Created, "observed" | "isNew">> {
  const { service, clock, dialect } = context;
  const started = clock.now();
  let isAmbiguous = false;
  for (let attempt = 1; ;) {
    try {
      return { observed: await service.create(completed(declared, dialect)), isNew: true };
    } catch (error) {
      isAmbiguous ||= hasAmbiguousOutcome(error);
      const isTaken = isKind(error, "conflict");
      if (!isAmbiguous && !isTaken) throw error;
      const { deployment: found, serverTime } = await service
        .overtime()
        .find(declared.name)
        .catch((cause: unknown) => {
          throw isAmbiguous ? unknownWhether(error, cause) : conflict(context, declared, error as Error);
        });
      const earliest = (serverTime ?? clock.now()) - (clock.now() - started) - slack;
      if (isAmbiguous && found !== undefined && isOwn(declared, found, earliest))
        return { observed: found, isNew: false };
      if (isTaken && found !== undefined && isDeleting(found)) {
        await waitForName(context, found, error);
        continue;
      }
      // Where no deployment has the name, the service may say what else holds it.
      if (isTaken && (found !== undefined || error.advice === undefined))
        throw conflict(context, declared, error, found);
      if (!hasAmbiguousOutcome(error) || attempt >= attempts) throw error;
      if ((await pause(clock, context, 500 * 2 ** (attempt - 1), error as Error)) !== undefined) throw error;
      if (!saysWhenToRetry(error)) attempt++;
    }
  }
}

/** What is declared, with what the service wants to be told although the program leaves it open. */
function completed(declared: Declared, { sentOnCreate }: Dialect): Declared {
  return Object.entries(sentOnCreate[declared.source] ?? {})
    .map(([path, value]) => ({ path: path.split("."), value }))
    .filter(({ path }) => valueAt(declared, path) === undefined)
    .reduce((all, { path, value }) => withValueAt(all, path, value), declared);
}

/** Whether the deployment of the name can be what an ambiguous call made: of what was sent, and not older than the call. */
function isOwn(declared: Declared, found: Observed, earliest: number): boolean {
  return !isDeleting(found) && canBeCreated(declared, found, earliest);
}

/** What an earlier run has begun to delete still holds the name. */
async function waitForName(context: Context, { id }: Observed, taken: Error): Promise<void> {
  const { end } = await waitForDeletion(context, id);
  if (end === "deleted") return;
  throw new DeploymentError(
    `${taken.message}. That is the deployment ${id}, which is being deleted and still exists: run the command again ` +
      "to go on waiting",
  );
}

function unknownWhether(doubt: unknown, cause: unknown): DeploymentError {
  return new DeploymentError(
    `${messageOf(doubt)}. Whether the deployment was created is not known, since looking it up failed too: ` +
      `${sentencesOf(cause)} If the next \`pulumi up\` finds the name taken, set \`adopt: true\` once`,
  );
}

function conflict(context: Context, declared: Declared, error: Error, found?: Observed): DeploymentError {
  // Whoever meets it next in this run must not delete it: a resource that was renamed, say.
  if (found !== undefined) {
    context.run.claim(deployedAs(found.id, found), resourceOf(context, declared), "wants");
  }
  return new DeploymentError(
    `${error.message}. If the resource was renamed or moved in the program, say so with the resource option \`aliases\`. If ` +
      `the deployment "${declared.name}" is to belong to this stack (an interrupted \`pulumi up\` may have made it, or left ` +
      "it to be deleted), take it over with `adopt: true`, or bring it in with `deployment-service import` and `pulumi import " +
      "--file`. If this very resource has it and is being replaced, let it go first with the resource option " +
      "`deleteBeforeReplace: true`. If another resource of the program gives the name up, run `pulumi up` with that change " +
      "alone first. Otherwise choose another name",
    { cause: error },
  );
}

function alreadyThere(context: Context, declared: Declared, found: Observed): DeploymentError {
  const error = new Error(`a deployment of this name exists already (id ${found.id})`);
  return conflict(context, declared, error, found);
}
