/** The error for a name that another deployment has. */
import { keeperOfName } from "../dialects";
import { DeploymentError } from "../errors";
import { stackIn } from "../text/urn";
import { isLikelyResultOfPost } from "./lost-request";
import type { Context } from "./context";
import { differencesFrom } from "./merge";
import { refusalOfReplacement } from "./refused-replacement";
import { type Observed, runsOlder } from "./service";
import { type CheckedArguments, deployedAs } from "./state";

/**
 * Contains what the user can do about it. Protects the deployment that has the name from deletion in this run: if the resource was
 * renamed, it is the declared deployment.
 *
 * @param holder the deployment that has the name, if the service shows it
 */
export async function nameTaken(
  context: Context,
  declared: CheckedArguments,
  cause: Error,
  holder?: Observed,
): Promise<DeploymentError> {
  const { run, claimant } = context;
  if (holder !== undefined) run.claims.claim(deployedAs(holder.id, holder), claimant.resource, "failed");
  return new DeploymentError(`${cause.message}. ${await adviceOn(context, declared, holder)}`, { cause });
}

/** An interrupted `up` is seldom repeated later; milliseconds. */
const recently = 60 * 60_000;

/** The one likely answer, then the others in one line. */
async function adviceOn(
  context: Context,
  declared: CheckedArguments,
  holder: Observed | undefined,
): Promise<string> {
  const { run, claimant, retainOnDelete = false, dialect } = context;
  if (holder?.owner !== undefined)
    return `The name is that of a ${holder.owner.what}, which ${holder.owner.owns}. Choose another name`;
  // A resource that was compared in this run is being replaced.
  const replaced = run.compared.get(claimant.resource);
  if (holder !== undefined && replaced?.id === holder.id) {
    const old = replaced.state.arguments;
    const refusal = refusalOfReplacement(old, declared, dialect, retainOnDelete) ?? creationFirst;
    return `The name belongs to this resource's own deployment ${holder.id}: ${refusal}`;
  }
  if (declared.adopt)
    return "The service's list has no deployment of that name to adopt: run `pulumi up` again, or choose another name";
  const isSameSource = holder === undefined || holder.source === declared.source;
  const isOfInterrupted = holder !== undefined && (await isProbablyInterrupted(context, declared, holder));
  const byStack = nameWithStack(declared.name, stackIn(claimant.resource));
  const another = `Another stack or program may own it: then choose another \`name\`${byStack}`;
  const isRenamed = !isOfInterrupted && byStack === "";
  const likely = isOfInterrupted
    ? "An interrupted `pulumi up` probably created it: run `pulumi refresh --clear-pending-creates`, then set `adopt: true` once"
    : isRenamed
      ? "If the resource was renamed in the program, set the resource option `aliases`"
      : another;
  const others = [
    isOfInterrupted || isRenamed ? another.replace("A", "a") : undefined,
    isRenamed ? undefined : "`aliases` if the resource was renamed",
    retainOnDelete || keeperOfName(declared, dialect) !== undefined
      ? undefined
      : "`deleteBeforeReplace: true` if `--replace` or `state taint` replaces it",
    !isSameSource
      ? `no adoption: the source of ${holder.id} is ${holder.source}, which cannot change`
      : isOfInterrupted
        ? sharing
        : `\`adopt: true\` or \`import\` to take it over (${sharing})`,
  ];
  return `${likely}. Otherwise: ${others.filter((other) => other !== undefined).join("; ")}`;
}

const sharing = "two stacks that adopt one deployment delete it from each other";

const creationFirst =
  "the engine creates the replacement first. Set the resource option `deleteBeforeReplace: true`; if `retainOnDelete` keeps the " +
  "old deployment, choose another `name`, or set `adopt: true` where the source stays the same";

/** Created within the hour, with what is declared, and not updated since, as far as the service shows. */
async function isProbablyInterrupted(
  { clock, service }: Context,
  declared: CheckedArguments,
  holder: Observed,
): Promise<boolean> {
  const { sourceConfig } = declared;
  return (
    isLikelyResultOfPost(declared, holder, clock.now() - recently) &&
    differencesFrom({ sourceConfig }, holder).length === 0 &&
    !runsOlder(holder) &&
    ((await service.revisionCount(holder.id).catch(() => undefined)) ?? 1) <= 1
  );
}

/** Empty if the name has the stack in it. */
function nameWithStack(name: string, stack = "STACK"): string {
  const isPart = ` ${name} `.replace(/[^a-z0-9]+/gi, "-").includes(` ${stack} `.replace(/[^a-z0-9]+/gi, "-"));
  return isPart ? "" : ` (with the stack in it: ${name}-${stack})`;
}
