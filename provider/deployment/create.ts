/**
 * Creating without ever creating twice. A POST is not repeated blindly: after an answer that leaves open whether
 * it was done, the deployment is looked up by its exact name, and taken only if it is this call's own work.
 */
import { isKind, maybeDone } from "../control-plane/errors";
import type { Context } from "./context";
import { DeploymentError } from "./errors";
import { hidesSecrets, isAsDeclared, withDrift } from "./observe";
import { patchFor, planChanges, reasonsOf } from "./plan";
import { isDeleting } from "./rollout";
import { send } from "./send";
import type { Observed } from "./service";
import { argumentsIn, revisionsIn, type Declared } from "./state";

const attempts = 4;
/** Clocks answer in whole seconds. */
const slack = 2_000;

export interface Created {
  readonly observed: Observed;
  /** Revisions that were there before. */
  readonly previous: readonly string[];
}

export async function adoptOrCreate(context: Context, declared: Declared): Promise<Created> {
  const { adopt, name } = declared;
  if (adopt || !context.dialect.uniqueNames) {
    const { deployment } = await context.service.find(name);
    if (deployment !== undefined && adopt) return takeOver(context, declared, deployment);
    if (deployment !== undefined) throw alreadyThere(name, deployment);
  }
  return { observed: await createOnce(context, declared), previous: [] };
}

async function createOnce(context: Context, declared: Declared): Promise<Observed> {
  const { service, clock } = context;
  const started = clock.now();
  let isDoubtful = false;
  for (let attempt = 1; ; attempt++) {
    try {
      return await service.create(declared);
    } catch (error) {
      const isConflict = isKind(error, "conflict");
      isDoubtful ||= maybeDone(error);
      if (!isDoubtful && isConflict) throw conflict(declared.name, error);
      if (!isDoubtful) throw error;
      const own = await findOwn(context, declared, started, error);
      if (own !== undefined) return own;
      if (isConflict) throw conflict(declared.name, error);
      if (attempt >= attempts) throw error;
      await clock.sleep(500 * 2 ** (attempt - 1));
    }
  }
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

async function takeOver(context: Context, declared: Declared, found: Observed): Promise<Created> {
  const { name, source, secrets = {} } = declared;
  if (found.source !== source) {
    throw new DeploymentError(
      `cannot adopt the deployment ${found.id}: its source is ${found.source}, the program says ${source}, and a source ` +
        "never changes. Declare its source, or delete it first",
    );
  }
  if (isDeleting(found)) {
    throw new DeploymentError(
      `cannot adopt the deployment ${found.id}: it is being deleted (status ${found.status})`,
    );
  }
  const { secrets: _, ...seen } = withDrift(argumentsIn(declared), found);
  // A value that the service does not show cannot be compared, so it is sent.
  const had = hidesSecrets(secrets, found) ? seen : withDrift(argumentsIn(declared), found);
  const plan = planChanges(had, argumentsIn(declared), context.dialect);
  context.log.info(`${name}: takes over the existing deployment ${found.id}`);
  if (plan.kind === "replacement") {
    throw new DeploymentError(
      `cannot adopt ${found.id}: ${reasonsOf(plan).join(", ")} differs and can never be changed`,
    );
  }
  if (plan.kind === "none") return { observed: found, previous: [] };
  const makesRevision = plan.kind === "revision";
  const previous = makesRevision ? revisionsIn(found) : [];
  const patch = patchFor(plan, had, argumentsIn(declared));
  return {
    observed: await send(context, { id: found.id, patch, makesRevision, previous, declared }),
    previous,
  };
}

function conflict(name: string, error: Error): DeploymentError {
  return new DeploymentError(
    `${error.message}. If the deployment "${name}" is to belong to this stack, take it over with \`adopt: true\`, ` +
      "or bring it in with `deployment-service import` and `pulumi import --file`. If it is the one that is being " +
      "replaced, delete it first with the resource option `deleteBeforeReplace: true`. Otherwise choose another name",
    { cause: error },
  );
}

function alreadyThere(name: string, { id }: Observed): DeploymentError {
  return conflict(name, new Error(`a deployment of this name exists already (id ${id})`));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
