/** Taking over a deployment that somebody else made: the same id, and a PATCH only for what differs. */
import { formatPath } from "../../schema/problems";
import { resourceOf, type Context } from "./context";
import type { Created } from "./created";
import type { ValuePath } from "./differences";
import { DeploymentError } from "./errors";
import { hidesSecrets, withDrift } from "./observe";
import { patchFor } from "./patch";
import { planChanges, reasonsOf } from "./plan";
import { send } from "./send";
import type { Observed } from "./service";
import { argumentsIn, deployedAs, revisionsIn, type Declared } from "./state";
import { keepUndeclared, undeclaredIn } from "./undeclared";
import { keepUnmanaged } from "./unmanaged";
import type { Values } from "./values";

export async function takeOver(context: Context, declared: Declared, found: Observed): Promise<Created> {
  const [deployed, resource] = [deployedAs(found.id, found), resourceOf(context, declared)];
  context.run.claim(deployed, resource, "wants");
  const adopted = await adopt(context, declared, found);
  context.run.claim(deployed, resource, "has");
  return adopted;
}

async function adopt(context: Context, declared: Declared, found: Observed): Promise<Created> {
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
  const undeclared = undeclaredIn(args, found, context.dialect);
  const kept = keptText(unmanaged, undeclared);
  context.log.info(`${declared.name}: takes over the existing deployment ${found.id}${kept}`);
  const memory = { unmanagedSecrets: unmanaged, undeclared };
  if (plan.kind === "none") {
    return { observed: found, isNew: false, ...lastRollout(found), ...memory, written: { sent: {} } };
  }
  const changed = keepUnmanaged(patchFor(plan, had, args, context.dialect), unmanaged, found);
  const patch = undeclared.length > 0 ? keepUndeclared(changed, had, args, found, context.dialect) : changed;
  const previous = revisionsIn(found);
  const before = { values: had, updatedAt: found.updatedAt, revisions: previous };
  const written = { sent: { ...patch }, before, makesRevision: plan.kind === "revision" };
  const observed = await send(context, { id: found.id, patch, written, declared });
  const rollout = written.makesRevision ? { hasRollout: true, previous } : lastRollout(observed);
  return { observed, isNew: false, ...rollout, ...memory, written };
}

function keptText(secrets: readonly string[], parts: readonly ValuePath[]): string {
  const kept = [
    ...(secrets.length > 0 ? [`its secrets ${secrets.join(", ")}`] : []),
    ...(parts.length > 0 ? [parts.map(formatPath).join(", ")] : []),
  ];
  return kept.length > 0 ? `; keeps ${kept.join(" and ")}, which are not declared` : "";
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
