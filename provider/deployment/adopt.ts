/** Taking over a deployment that somebody else made: the same id, and a PATCH only for what differs. */
import { resourceOf, type Context } from "./context";
import type { Created } from "./created";
import { DeploymentError } from "./errors";
import { hidesSecrets, withDrift } from "./observe";
import { patchFor } from "./patch";
import { planChanges, reasonsOf } from "./plan";
import { send } from "./send";
import type { Observed } from "./service";
import { argumentsIn, deployedAs, revisionsIn, type Declared } from "./state";
import { keepUnmanaged } from "./unmanaged";
import type { Values } from "./values";

export async function takeOver(context: Context, declared: Declared, found: Observed): Promise<Created> {
  context.run.claim(deployedAs(found.id, found), resourceOf(context, declared), "wants");
  refuseWrongOne(declared, found);
  const args = argumentsIn(declared);
  const had = hadBefore(declared, found);
  const plan = planChanges(had, args, context.dialect);
  if (plan.kind === "replacement") {
    const reasons = reasonsOf(plan).join(", ");
    throw new DeploymentError(`cannot adopt ${found.id}: ${reasons} differs and can never be changed`);
  }
  const unmanaged = Object.keys(found.secrets ?? {}).filter(
    (name) => !Object.hasOwn(declared.secrets ?? {}, name),
  );
  const kept =
    unmanaged.length > 0 ? `; keeps its secrets ${unmanaged.join(", ")}, which are not declared` : "";
  context.log.info(`${declared.name}: takes over the existing deployment ${found.id}${kept}`);
  const previous = revisionsIn(found);
  if (plan.kind === "none") return { observed: found, ...lastRollout(found), unmanaged };
  const makesRevision = plan.kind === "revision";
  const patch = keepUnmanaged(patchFor(plan, had, args, context.dialect), unmanaged, found);
  const observed = await send(context, { id: found.id, patch, makesRevision, previous, declared });
  return { observed, ...(makesRevision ? { hasRollout: true, previous } : lastRollout(observed)), unmanaged };
}

/** A first rollout is what an interrupted run has begun, and is waited for in its place; no other one is ours. */
function lastRollout({
  latestRevisionId,
  activeRevisionId,
}: Observed): Pick<Created, "hasRollout" | "previous"> {
  return { hasRollout: activeRevisionId === null && latestRevisionId !== null, previous: [] };
}

/** What is declared, as it was on the service. A secret that is not shown cannot be compared, so it will be sent. */
function hadBefore(declared: Declared, found: Observed): Values {
  const { secrets, ...rest } = withDrift(argumentsIn(declared), found);
  return hidesSecrets(declared.secrets ?? {}, found) ? rest : { ...rest, secrets };
}

function refuseWrongOne({ source }: Declared, found: Observed): void {
  if (found.source !== source) {
    throw new DeploymentError(
      `cannot adopt the deployment ${found.id}: its source is ${found.source}, the program says ${source}, and a source ` +
        "never changes. Declare its source, or delete it first",
    );
  }
}
