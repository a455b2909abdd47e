/** Taking over a deployment that somebody else made: the same id, and a PATCH only for what differs. */
import { type Context, type Observed, resourceOf } from "./service";
import { hidesSecrets, withDrift } from "./drift";
import { DeploymentError } from "../errors";
import { patchFor, send } from "./patch";
import { planChanges, reasonsOf } from "./plan";
import { outcomeOf } from "./wait";
import { argumentsIn, deployedAs, revisionsIn, type Declared } from "./state";
import { keepUndeclared, listsIn } from "./undeclared";
import { contentKey } from "../internal-inputs";
import { logicalName } from "../urn";
import { withUpload } from "./upload";
import type { Values } from "../../schema/tree";
import type { Written } from "./normalized";

export async function takeOver(context: Context, declared: Declared, found: Observed): Promise<Created> {
  const [deployed, resource] = [deployedAs(found.id, found), resourceOf(context, declared)];
  const holder = context.run.keptByOther(deployed, resource);
  if (holder !== undefined) {
    throw new DeploymentError(
      `cannot adopt the deployment ${found.id}: it belongs to the resource "${logicalName(holder.resource)}" of this program. ` +
        "Two resources of one deployment would undo each other's changes: remove one of them, or give it another name",
    );
  }
  // Nothing deletes it before it is taken over.
  context.run.claim(deployed, resource, "failed");
  const adopted = await adopt(context, declared, found);
  context.run.claim(deployed, resource, "keeps");
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
  const unmanagedSecrets = Object.keys(found.secrets ?? {}).filter(
    (name) => !Object.hasOwn(declared.secrets ?? {}, name),
  );
  const names = unmanagedSecrets.join(", ");
  const kept = names === "" ? "" : `; keeps its secrets ${names}, which are not declared`;
  context.log.info(`${declared.name}: takes over the existing deployment ${found.id}${kept}`);
  const privateState = { takenOver: true, unmanagedSecrets };
  if (plan.kind === "none") {
    const rollout = await lastRollout(context, declared, found);
    return { ...rollout, declared, isNew: false, ...privateState, written: { sent: {} } };
  }
  for (const path of listsIn(plan.changes, had, args)) {
    context.log.warning(`${declared.name}: ${path} of the existing deployment is replaced as a whole`);
  }
  const changed = keepUndeclared(patchFor(plan, args, context.dialect), had, args, found, context.dialect);
  const { patch, ...uploaded } = await withUpload(context, found.id, changed, declared);
  const previous = revisionsIn(found);
  const written = {
    sent: { ...patch },
    before: { values: had, updatedAt: found.updatedAt, revisions: previous },
    makesRevision: plan.kind === "revision",
  };
  const observed = await send(context, { id: found.id, patch, written, declared });
  if (written.makesRevision) {
    const made = { ...privateState, ...uploaded.privateState };
    return {
      observed,
      declared: uploaded.declared,
      isNew: false,
      hasRollout: true,
      previous,
      ...made,
      written,
    };
  }
  const rollout = await lastRollout(context, declared, observed);
  return { ...rollout, declared, isNew: false, ...privateState, written };
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
  const { service, dialect } = context;
  const isTold = dialect.revisionStatuses !== undefined && found.latestRevisionStatus === undefined;
  const observed = (isTold ? await service.read(found.id) : undefined) ?? found;
  const { latestRevisionStatus: status } = observed;
  const outcome = outcomeOf(observed, dialect);
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

/** What is declared, as it was on the service. A secret that is not shown cannot be compared, so it will be sent. */
export function hadBefore(declared: Declared, found: Observed): Values {
  // Nobody can tell what the archive holds that runs there.
  const { secrets, [contentKey]: _, ...rest } = withDrift(argumentsIn(declared), found);
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
  /** With the content of a folder as it was uploaded. */
  readonly declared: Declared;
  /** The path of what was uploaded, if something was. */
  readonly uploaded?: string | undefined;
  /** Whether it was surely made by this call: not taken over, and not found after a response was lost. */
  readonly isNew: boolean;
  /** Whether there is a revision that is to become active, and which were there before. */
  readonly hasRollout: boolean;
  readonly previous: readonly string[];
  readonly written: Written;
  /** Whether somebody else had made it. */
  readonly takenOver?: boolean;
  /** Secrets that it has and the program does not declare. */
  readonly unmanagedSecrets?: readonly string[];
}
