/**
 * Creating without ever creating twice. A POST is not repeated blindly: after an answer that leaves open whether
 * it was done, the deployment is looked up by its exact name, and taken only if it is this call's own work.
 */
import { isKind, maybeDone, messageOf } from "../control-plane/errors";
import type { Dialect } from "../dialects";
import type { Context } from "./context";
import type { Created } from "./created";
import { DeploymentError } from "./errors";
import { takeOver } from "./adopt";
import { isAsDeclared } from "./observe";
import { isDeleting } from "./rollout";
import type { Observed } from "./service";
import { argumentsIn, type Declared } from "./state";
import { valueAt, withValueAt, type Values } from "./values";

const attempts = 4;
/** Clocks answer in whole seconds. */
const slack = 2_000;

export async function adoptOrCreate(context: Context, declared: Declared): Promise<Created> {
  const { adopt, name } = declared;
  if (adopt || !context.dialect.uniqueNames) {
    const { deployment } = await context.service.find(name);
    if (deployment !== undefined && adopt) return takeOver(context, declared, deployment);
    if (deployment !== undefined) throw alreadyThere(name, deployment);
  }
  const observed = await createOnce(context, declared);
  return { observed, hasRollout: true, previous: [], unmanaged: [] };
}

async function createOnce(context: Context, declared: Declared): Promise<Observed> {
  const { service, clock, dialect, signal } = context;
  const started = clock.now();
  let isDoubtful = false;
  for (let attempt = 1; ; attempt++) {
    try {
      return await service.create(completed(declared, dialect));
    } catch (error) {
      isDoubtful ||= maybeDone(error);
      const own = isDoubtful ? await findOwn(context, declared, started, error) : undefined;
      if (own !== undefined) return own;
      // What the service says may be known to mean something else than a deployment of that name.
      if (isKind(error, "conflict") && error.advice === undefined) throw conflict(declared.name, error);
      if (!maybeDone(error) || attempt >= attempts || signal?.aborted) throw error;
      await clock.sleep(500 * 2 ** (attempt - 1));
    }
  }
}

/** What is declared, with what the service wants to be told although the program leaves it open. */
function completed(declared: Declared, { sentOnCreate }: Dialect): Declared {
  return Object.entries(sentOnCreate[declared.source] ?? {})
    .map(([path, value]) => ({ path: path.split("."), value }))
    .filter(({ path }) => valueAt(declared, path) === undefined)
    .reduce<Values>((all, { path, value }) => withValueAt(all, path, value), declared) as Declared;
}

/** The deployment that a doubtful call made, if it did: of this name, as declared, and not older than the call. */
async function findOwn(
  { service, clock }: Context,
  declared: Declared,
  started: number,
  doubt: unknown,
): Promise<Observed | undefined> {
  const { deployment, serverTime } = await service.find(declared.name).catch((error: unknown) => {
    throw new DeploymentError(
      `${messageOf(doubt)}. Whether the deployment was created is not known, since looking it up failed too: ` +
        `${messageOf(error)}. Run \`pulumi up\` again; if the name is taken then, set \`adopt: true\` once`,
    );
  });
  if (deployment === undefined || isDeleting(deployment)) return undefined;
  const age = (serverTime ?? clock.now()) - Date.parse(deployment.createdAt ?? "");
  const isOlder = age > clock.now() - started + slack;
  return isOlder || !isAsDeclared(argumentsIn(declared), deployment) ? undefined : deployment;
}

function conflict(name: string, error: Error): DeploymentError {
  return new DeploymentError(
    `${error.message}. If the deployment "${name}" is to belong to this stack (an interrupted \`pulumi up\` may have made ` +
      "it), take it over with `adopt: true`, or bring it in with `deployment-service import` and `pulumi import --file`. " +
      "If it is the one that is being replaced, delete it first with the resource option `deleteBeforeReplace: true`. " +
      "Otherwise choose another name",
    { cause: error },
  );
}

function alreadyThere(name: string, { id }: Observed): DeploymentError {
  return conflict(name, new Error(`a deployment of this name exists already (id ${id})`));
}
