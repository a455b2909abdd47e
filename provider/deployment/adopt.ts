/** Adopts an existing deployment: keeps its id, and sends a PATCH only for differences. */
import { asObject, isEqual, isNothing, type Values, valueAt, withValueAt } from "../../schema/tree";
import type { Dialect } from "../dialects";
import { DeploymentError } from "../errors";
import { madeBy, refuseOwned } from "./identity";
import { effectAt, revisionPaths } from "./field-change";
import { plan } from "./plan";
import { explanationText, reasonsText } from "./explanation";
import { reconcile } from "./reconcile";
import { stateAsFound } from "./record";
import { outcomeOf, rolloutSince } from "./awaited-revision";
import { argumentsIn, differencesFrom, withLive } from "./merge";
import { isHidden, undeclaredAmong } from "./secrets";
import type { Context } from "./context";
import type { Rollout } from "./private-state";
import { type Observed, contentKey } from "./service";
import { type CheckedArguments, type Declared, type State } from "./state";

/** Throws if the deployment cannot be adopted, and `UnfinishedError` with the state once it is. */
export async function adopt(context: Context, declared: Declared, found: Observed): Promise<State> {
  const { run, claimant } = context;
  refuseOwned(found);
  // Protects the deployment from deletion until it is adopted.
  run.claims.claim(found.id, claimant.resource, "failed");
  const { source } = declared.arguments;
  if (found.source !== source)
    throw refusal(
      found,
      `its source is ${found.source}, the program declares ${source}, and the source of a deployment cannot be changed. ` +
        "Declare the same source, or delete the deployment first",
    );
  const taken = await takeOver(context, declared, found);
  const state = await reconcile(context, { id: found.id, declared, ...taken });
  run.claims.claim(found.id, claimant.resource, "keeps");
  return state;
}

/** The state of the deployment as it is found, from which an update leads to the declared one. */
async function takeOver(context: Context, declared: Declared, found: Observed) {
  const { dialect, log } = context;
  const { arguments: args } = declared;
  const live = liveArguments(args, found, dialect);
  const last = await lastRevision(context, found);
  const old = last.problem === undefined ? live : withoutRevision(live, args, dialect);
  const remembered = { madeWith: madeBy(context), rollout: last.rollout };
  const before = stateAsFound({ ...declared, arguments: old }, last.observed, context, remembered);
  const { effect, changes } = plan(before, declared, dialect);
  if (effect === "replacement")
    throw refusal(found, `what differs cannot be changed (${reasonsText(changes)})`);
  if (last.problem !== undefined)
    log.warning(
      `${last.problem}: ${effect === "revision" ? "what is declared is rolled out again" : "no new one is declared"}`,
    );
  const kept = undeclaredAmong(found.secrets, args);
  const keeps = kept.length === 0 ? "" : `; keeps its undeclared secrets ${kept.join(", ")}`;
  const explanation = explanationText(changes);
  log.info(
    `adopts the existing deployment ${found.id}${explanation === undefined ? "" : `, ${explanation}`}${keeps}`,
  );
  return { before, observed: last.observed };
}

function refusal({ id }: Observed, reason: string): DeploymentError {
  return new DeploymentError(`cannot adopt the deployment ${id}: ${reason}`);
}

/**
 * The deployment, and the rollout of its newest revision if that is in progress; for the first one, see `stateAsFound`. `problem`
 * says that the newest one has failed, or that its result is unknown.
 */
async function lastRevision(
  { service, dialect }: Context,
  found: Observed,
): Promise<{ observed: Observed; rollout?: Rollout; problem?: string }> {
  const { latestRevisionId: latest, activeRevisionId: active } = found;
  if (latest === null || latest === active) return { observed: found };
  const needsRead = dialect.revisionStatuses !== undefined && found.latestRevisionStatus === undefined;
  const observed = (needsRead ? await service.read(found.id, { beforeWrite: true }) : undefined) ?? found;
  if (active === null) return { observed };
  const { latestRevisionStatus: status } = observed;
  const isUnderWay = typeof status === "string" && outcomeOf(observed, dialect) === undefined;
  if (isUnderWay) return { observed, rollout: rolloutSince(observed, [active]) };
  const end = typeof status === "string" ? `ended as ${status}` : "may be in progress or may have failed";
  const problem = `the active revision of the existing deployment is ${active}; the newest one, ${latest}, ${end}`;
  return { observed, problem };
}

/** If the newest revision does not run, a shown value counts as missing, so that declaring it makes another revision. */
function withoutRevision(live: Values, declared: Values, dialect: Dialect): Values {
  const paths = revisionPaths(dialect);
  if (paths.some((each) => !isEqual(valueAt(live, each), valueAt(declared, each)))) return live;
  const path = paths.find((each) => !isNothing(valueAt(live, each)));
  return path === undefined ? live : withValueAt(live, path, undefined);
}

/** The declared arguments as the service shows them. If it hides a secret, none is known; what is immutable is as declared. */
function liveArguments(declared: CheckedArguments, observed: Observed, dialect: Dialect): Values {
  const differences = differencesFrom(declared, observed).filter(
    ({ path, is }) => is !== undefined || effectAt(path, dialect) !== "replacement",
  );
  // The content of the deployed archive is unknown.
  const { secrets, [contentKey]: _, ...rest } = withLive(declared, differences);
  const listed = asObject(argumentsIn(observed)["secrets"]);
  const areKnown = Object.keys(declared.secrets ?? {}).every(
    (name) => Object.hasOwn(listed, name) && !isHidden(listed[name]),
  );
  return areKnown ? { ...rest, secrets } : rest;
}
