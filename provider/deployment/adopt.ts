/** Taking over a deployment that somebody else made: the same id, and a PATCH only for what differs. */
import { formatPath } from "../../schema/problems";
import { type Context, type Observed, resourceOf } from "./service";
import { hidesSecrets, type ValuePath, withDrift } from "./drift";
import { DeploymentError } from "../errors";
import { patchFor, send } from "./patch";
import { planChanges, reasonsOf } from "./plan";
import { outcomeOf } from "./wait";
import { argumentsIn, deployedAs, revisionsIn, type Declared } from "./state";
import { keepUndeclared, keepUnmanaged, undeclaredIn } from "./undeclared";
import { logicalName } from "../urn";
import type { Values } from "../values";
import type { Written } from "./normalized";

export async function takeOver(context: Context, declared: Declared, found: Observed): Promise<Created> {
  const [deployed, resource] = [deployedAs(found.id, found), resourceOf(context, declared)];
  const holder = context.run.heldByOther(deployed, resource);
  if (holder !== undefined) {
    throw new DeploymentError(
      `cannot adopt the deployment ${found.id}: it belongs to the resource "${logicalName(holder.resource)}" of this program. ` +
        "Two resources of one deployment would undo each other's changes: remove one of them, or give it another name",
    );
  }
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
  const privateState = { unmanagedSecrets: unmanaged, undeclared };
  if (plan.kind === "none") {
    const rollout = await lastRollout(context, declared, found);
    return { ...rollout, isNew: false, ...privateState, written: { sent: {} } };
  }
  const changed = keepUnmanaged(patchFor(plan, had, args, context.dialect), unmanaged, found);
  const patch = undeclared.length > 0 ? keepUndeclared(changed, had, args, found, context.dialect) : changed;
  const previous = revisionsIn(found);
  const written = {
    sent: { ...patch },
    before: { values: had, updatedAt: found.updatedAt, revisions: previous },
    makesRevision: plan.kind === "revision",
  };
  const observed = await send(context, { id: found.id, patch, written, declared });
  if (written.makesRevision) {
    return { observed, isNew: false, hasRollout: true, previous, ...privateState, written };
  }
  const rollout = await lastRollout(context, declared, observed);
  return { ...rollout, isNew: false, ...privateState, written };
}

function keptText(secrets: readonly string[], parts: readonly ValuePath[]): string {
  const kept = [
    ...(secrets.length > 0 ? [`its secrets ${secrets.join(", ")}`] : []),
    ...(parts.length > 0 ? [parts.map(formatPath).join(", ")] : []),
  ];
  return kept.length > 0 ? `; keeps ${kept.join(" and ")}, which are not declared` : "";
}

/**
 * The rollout of a revision that others made. One that is on its way is waited for, as far as the service tells; so is the first
 * one, which an interrupted run has begun. Of one that has ended badly, and of one that nobody knows of, the user is told.
 */
async function lastRollout(
  context: Context,
  { name }: Declared,
  found: Observed,
): Promise<Pick<Created, "observed" | "hasRollout" | "previous">> {
  const { latestRevisionId: latest, activeRevisionId: active } = found;
  if (latest === null || latest === active) return { observed: found, hasRollout: false, previous: [] };
  const observed = (await withRevisionStatus(context, found)) ?? found;
  const { latestRevisionStatus: status } = observed;
  const outcome = outcomeOf(observed, context.dialect);
  const isOnItsWay = typeof status === "string" && (outcome === undefined || outcome === "deployed");
  if (active === null || isOnItsWay) {
    return { observed, hasRollout: true, previous: active === null ? [] : [active] };
  }
  const end = typeof status === "string" ? `ended as ${status}` : "may be on its way or have failed";
  context.log.warning(
    `${name}: the deployment is taken over with ${active} as its active revision; the newest one, ${latest}, ${end}. To roll out ` +
      "what is declared once more, change `triggers`",
  );
  return { observed, hasRollout: false, previous: [] };
}

async function withRevisionStatus(
  { service, dialect }: Context,
  found: Observed,
): Promise<Observed | undefined> {
  const isTold = dialect.revisionStatuses !== undefined && found.latestRevisionStatus === undefined;
  return isTold ? service.read(found.id) : found;
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

/** What create ends with: the deployment, and what is to be waited for. */
export interface Created {
  readonly observed: Observed;
  /** Whether it was surely made by this call: not taken over, and not found after a response was lost. */
  readonly isNew: boolean;
  /** Whether there is a revision that is to become active, and which were there before. */
  readonly hasRollout: boolean;
  readonly previous: readonly string[];
  readonly written: Written;
  /** Secrets that it has and the program does not declare. */
  readonly unmanagedSecrets?: readonly string[];
  /** Parts of its objects that the program does not declare. */
  readonly undeclared?: readonly ValuePath[];
}
