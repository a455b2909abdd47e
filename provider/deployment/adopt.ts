/** Adopts an existing deployment: keeps its id, and sends a PATCH only for differences. */
import { formatPath, type Values, valueAt } from "../../schema/tree";
import { DeploymentError } from "../errors";
import { contentKey } from "../internal-inputs";
import { logicalName } from "../urn";
import { hidesSecrets, withDrift } from "./drift";
import { refusePreviewBuild } from "./identity";
import { withUndeclared } from "./keep";
import { patchFor } from "./patch";
import { listsIn, planChanges, reasonsOf } from "./plan";
import { type Accepted, activeRollout, rolloutAfter } from "./rollout";
import { send } from "./send";
import type { Context } from "./context";
import type { Observed } from "./service";
import { type CheckedArguments, type Declared, deployedAs, revisionsIn } from "./state";
import { outcomeOf } from "./wait";

/** @throws if the deployment belongs to another resource of the program, or has another source */
export async function takeOver(context: Context, declared: Declared, found: Observed): Promise<Accepted> {
  refusePreviewBuild(found);
  const { run, claimant } = context;
  const [deployed, resource] = [deployedAs(found.id, found), claimant.resource];
  const holder = run.keptByOther(deployed, resource);
  if (holder !== undefined) {
    throw new DeploymentError(
      `cannot adopt the deployment ${found.id}: it belongs to the resource "${logicalName(holder.resource)}" of this program. ` +
        "Two resources for one deployment would undo each other's changes: remove one of them, or give it another name",
    );
  }
  // Protects the deployment from deletion until it is adopted.
  run.claim(deployed, resource, "failed");
  const adopted = await adopt(context, declared, found);
  run.claim(deployed, resource, "keeps");
  return adopted;
}

async function adopt(context: Context, declared: Declared, found: Observed): Promise<Accepted> {
  const { dialect, log } = context;
  const { arguments: args } = declared;
  refuseOtherSource(args, found);
  const had = hadBefore(args, found);
  const plan = planChanges(had, args, dialect);
  if (plan.kind === "replacement") {
    const reasons = reasonsOf(plan).join(", ");
    throw new DeploymentError(
      `cannot adopt the deployment ${found.id}: ${reasons} differs and cannot be changed`,
    );
  }
  const unmanagedSecrets = Object.keys(found.secrets ?? {}).filter(
    (name) => !Object.hasOwn(args.secrets ?? {}, name),
  );
  const kept =
    unmanagedSecrets.length === 0 ? "" : `; keeps its undeclared secrets ${unmanagedSecrets.join(", ")}`;
  log.info(`${args.name}: adopts the existing deployment ${found.id}${kept}`);
  const remembered = { takenOver: true, unmanagedSecrets };
  if (plan.kind === "none")
    return { declared, ...(await lastRollout(context, args, found)), written: { sent: {} }, remembered };

  for (const path of listsIn(plan.changes, had, args)) {
    log.warning(`${args.name}: ${formatPath(path)} of the existing deployment is replaced completely`);
  }
  const patch = withUndeclared(patchFor(plan, args, dialect), had, args, found, dialect);
  const before = { arguments: had, updatedAt: found.updatedAt, revisions: revisionsIn(found) };
  const makesRevision = plan.kind === "revision";
  const sent = await send(context, found.id, { declared, patch, before, makesRevision });
  const last = makesRevision ? undefined : await lastRollout(context, args, sent.observed);
  return { ...sent, ...last, remembered: { ...sent.remembered, ...remembered } };
}

/**
 * Whether the existing deployment is the declared one, left behind by a run that was killed right after creating it: nothing was
 * ever uploaded to it, and everything else is as declared.
 */
export function isUnfinished(context: Context, declared: CheckedArguments, found: Observed): boolean {
  const { dialect, log, sourceFolder } = context;
  if (sourceFolder === undefined || found.source !== declared.source) return false;
  if (typeof valueAt(found, ["sourceRevisionConfig", "sourceTarballPath"]) === "string") return false;
  if (Object.keys(found.secrets ?? {}).some((name) => !Object.hasOwn(declared.secrets ?? {}, name)))
    return false;
  const { changes } = planChanges(hadBefore(declared, found), declared, dialect);
  const isOfSource = (name: unknown) => name === "sourceDirectory" || name === "sourceRevisionConfig";
  if (changes.some(({ kind, path }) => kind !== "none" && !isOfSource(path[0]))) return false;
  log.info(
    `${declared.name}: the deployment already exists as declared, without source code: an interrupted run created it`,
  );
  return true;
}

/**
 * The rollout of a revision that others created. Waits for it if the service reports that it is in progress, or if it is the first
 * one, which an interrupted run started. Warns of a revision that failed, or whose result is unknown.
 */
async function lastRollout(
  context: Context,
  declared: CheckedArguments,
  found: Observed,
): Promise<Pick<Accepted, "observed" | "rollout">> {
  const { latestRevisionId: latest, activeRevisionId: active } = found;
  const { service, dialect, log } = context;
  if (latest === null || latest === active)
    return { observed: found, rollout: activeRollout(context, declared, found) };
  const isTold = dialect.revisionStatuses !== undefined && found.latestRevisionStatus === undefined;
  const observed = (isTold ? await service.read(found.id) : undefined) ?? found;
  const { latestRevisionStatus: status } = observed;
  const outcome = outcomeOf(observed, dialect);
  const isUnderWay = typeof status === "string" && (outcome === undefined || outcome === "deployed");
  if (active === null || isUnderWay) {
    const previous = active === null ? [] : [active];
    return { observed, rollout: rolloutAfter(context, declared, observed, previous) };
  }
  const end = typeof status === "string" ? `ended as ${status}` : "may be in progress or may have failed";
  log.warning(
    `${declared.name}: adopts the deployment with ${active} as its active revision; the newest revision, ${latest}, ${end}. ` +
      "To redeploy, change `triggers`",
  );
  return { observed, rollout: activeRollout(context, declared, observed) };
}

/** The declared arguments with the service's values. Secrets that the service hides cannot be compared, so all are sent. */
function hadBefore(declared: CheckedArguments, found: Observed): Values {
  // The content of the deployed archive is unknown.
  const { secrets, [contentKey]: _, ...rest } = withDrift(declared, found);
  return hidesSecrets(declared.secrets ?? {}, found) ? rest : { ...rest, secrets };
}

function refuseOtherSource({ source }: CheckedArguments, found: Observed): void {
  if (found.source === source) return;
  throw new DeploymentError(
    `cannot adopt the deployment ${found.id}: its source is ${found.source}, the program declares ${source}, and the source of ` +
      "a deployment cannot be changed. Declare the same source, or delete the deployment first",
  );
}
