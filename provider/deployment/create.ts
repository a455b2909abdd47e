/**
 * Creating without ever creating twice. A POST is not repeated blindly: after a response that leaves open whether
 * it was done, the deployment is looked up by its exact name, and taken only if it is this call's own work.
 */
import { DeploymentError, hasAmbiguousOutcome, isKind, messageOf, sentencesOf } from "../errors";
import type { Dialect } from "../dialects";
import { refusedOnCreate } from "../dialects/service-rules";
import { type Context, isDeleting, type Observed, resourceOf } from "./service";
import { type Created, hadBefore, takeOver } from "./adopt";
import type { RunClaims } from "./claims";
import { waitForDeletion } from "./delete";
import { canBeCreated } from "./recognize";
import { argumentsIn, deployedAs, type Declared } from "./state";
import { isEmptyBeginning } from "./upload";
import { Tries } from "../tries";
import { valueAt, withValueAt } from "../../schema/tree";

/** Clocks answer in whole seconds. */
const slack = 2_000;

/** @param configPath of the graph configuration in the archive; undefined if nothing will be uploaded */
export async function adoptOrCreate(
  context: Context,
  declared: Declared,
  configPath?: string,
): Promise<Created> {
  const { adopt, name } = declared;
  if (adopt || !context.dialect.uniqueNames) {
    const { deployment } = await context.service.find(name);
    const isGoing = deployment === undefined || isDeleting(deployment);
    if (!isGoing && adopt) return takeOver(context, declared, deployment);
    if (!isGoing) throw alreadyThere(context, declared, deployment);
    if (adopt) refuseNew(declared, context.dialect);
  }
  const { isForeign, ...made } = await createOnce(context, declared, configPath);
  if (isForeign) return takeOver(context, declared, made.observed);
  // It may also be what was there before, which the engine is about to delete as replaced.
  context.run.claim(deployedAs(made.observed.id, made.observed), resourceOf(context, declared), "keeps");
  return { ...made, declared, hasRollout: true, previous: [], written: { sent: argumentsIn(declared) } };
}

/** The check could not know whether there is one to adopt. */
function refuseNew(declared: Declared, dialect: Dialect): void {
  const [first] = refusedOnCreate(declared, dialect);
  if (first === undefined) return;
  throw new DeploymentError(
    `there is no deployment "${declared.name}" to adopt, and a new one is refused: ${first.property} ${first.reason}`,
  );
}

/** Of a program that adopts, it may also be what somebody else has made since it was looked for. */
async function createOnce(
  context: Context,
  declared: Declared,
  configPath: string | undefined,
): Promise<Pick<Created, "observed" | "isNew"> & { readonly isForeign?: boolean }> {
  const { service, clock, dialect } = context;
  const started = clock.now();
  const tries = new Tries(clock, context);
  let isAmbiguous = false;
  for (;;) {
    try {
      return { observed: await service.create(completed(declared, dialect, configPath)), isNew: true };
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
      if (isAmbiguous && found !== undefined && canBeCreated(declared, found, earliest))
        return { observed: found, isNew: false };
      if (isTaken && found !== undefined && isDeleting(found)) {
        await waitForName(context, found, error);
        continue;
      }
      if (isTaken && found !== undefined && (declared.adopt || continues(context, declared, found)))
        return { observed: found, isNew: false, isForeign: true };
      // Where no deployment has the name, the service may say what else holds it.
      if (isTaken && (found !== undefined || error.advice === undefined))
        throw conflict(context, declared, error, found);
      if (!hasAmbiguousOutcome(error)) throw error;
      await tries.waitAfter(error);
    }
  }
}

/** Whether the existing deployment was created by a run that was killed before it uploaded anything. */
function continues(context: Context, declared: Declared, found: Observed): boolean {
  if (found.source !== declared.source) return false;
  if (!isEmptyBeginning(context, declared, hadBefore(declared, found), found)) return false;
  context.log.info(
    `${declared.name}: the deployment already exists as declared, without source code: an interrupted run created it`,
  );
  return true;
}

/** What is declared, with what the service wants to be told although the program leaves it open. */
function completed(given: Declared, { sentOnCreate }: Dialect, configPath?: string): Declared {
  const config = ["sourceRevisionConfig", "graphConfigPath"];
  const declared = configPath === undefined ? given : withValueAt(given, config, configPath);
  return Object.entries(sentOnCreate[declared.source] ?? {})
    .map(([path, value]) => ({ path: path.split("."), value }))
    .filter(({ path }) => valueAt(declared, path) === undefined)
    .reduce((all, { path, value }) => withValueAt(all, path, value), declared);
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
  const resource = resourceOf(context, declared);
  // Whoever meets it next in this run must not delete it: a resource that was renamed, say.
  if (found !== undefined) context.run.claim(deployedAs(found.id, found), resource, "failed");
  const text = `${error.message}. ${waysOut(context.run.compared, resource, declared, found)}`;
  return new DeploymentError(text, { cause: error });
}

function waysOut(
  compared: RunClaims["compared"],
  resource: string,
  { adopt = false }: Declared,
  found?: Observed,
): string {
  if (found !== undefined && compared.get(resource)?.id === found.id) {
    return (
      `This resource itself has the name, with the deployment ${found.id}, and the engine creates the replacement first: set ` +
      "the resource option `deleteBeforeReplace: true`"
    );
  }
  if (adopt) {
    return "The list does not show a deployment of that name to adopt: run `pulumi up` again, or choose another name";
  }
  const takeOver =
    "To take over the existing deployment (an interrupted `pulumi up` may have made it), set `adopt: true` or import it with " +
    "`deployment-service import`. Otherwise choose another name";
  if (compared.has(resource)) return takeOver;
  return (
    `If the resource was renamed in the program, set the resource option \`aliases\`. ${takeOver}. If \`--replace\` or ` +
    "`state taint` replaces this resource, set the resource option `deleteBeforeReplace: true`"
  );
}

function alreadyThere(context: Context, declared: Declared, found: Observed): DeploymentError {
  const error = new Error(`a deployment of this name exists already (id ${found.id})`);
  return conflict(context, declared, error, found);
}
