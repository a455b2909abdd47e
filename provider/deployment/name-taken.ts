/** The error for a name that another deployment has, or keeps after its deletion. */
import { keeperOfName, type Dialect } from "../dialects";
import { DeploymentError } from "../errors";
import { stackIn } from "../text/urn";
import type { Values } from "../../schema/tree";
import type { Context } from "./context";
import { isLikelyResultOfPost } from "./lost-request";
import { differencesFrom } from "./merge";
import { isDeleting, type Observed, runsOlder } from "./service";
import type { CheckedArguments } from "./state";

/**
 * Contains what the user can do about it. Protects the deployment that has the name from deletion in this run: if the resource was
 * renamed, it is the declared deployment.
 *
 * @param holder the deployment that has the name, if the service shows it
 */
export function nameTaken(
  context: Context,
  declared: CheckedArguments,
  cause: Error,
  holder?: Observed,
): DeploymentError {
  const { run, claimant } = context;
  if (holder !== undefined) run.claims.claim(holder.id, claimant.resource, "failed");
  return new DeploymentError(`${cause.message}. ${adviceOn(context, declared, holder)}`, { cause });
}

/** The likely answer, then the others in one line. */
function adviceOn(context: Context, declared: CheckedArguments, holder: Observed | undefined): string {
  const { run, claimant, retainOnDelete = false, dialect } = context;
  if (holder?.owner !== undefined)
    return `The name is that of a ${holder.owner.what}, which ${holder.owner.owns}. Choose another name`;
  if (holder !== undefined && isDeleting(holder))
    return `The deployment ${holder.id} has the name and is being deleted: run \`pulumi up\` again when it is gone`;
  // A resource that was compared in this run is being replaced.
  const replaced = run.compared.get(claimant.resource);
  if (holder !== undefined && replaced?.id === holder.id) {
    const old = replaced.state.arguments;
    const refusal = refusalOfReplacement(old, declared, dialect, retainOnDelete) ?? creationFirst;
    return `The name belongs to this resource's own deployment ${holder.id}: ${refusal}`;
  }
  if (declared.adopt)
    return "The service's list has no deployment of that name to adopt: run `pulumi up` again, or choose another name";
  const isOfInterrupted = holder !== undefined && isProbablyInterrupted(context, declared, holder);
  const takeOver =
    holder === undefined || holder.source === declared.source
      ? `\`adopt: true\` or \`import\` to take it over (${sharing})`
      : `no adoption: the source of ${holder.id} is ${holder.source}, which cannot change`;
  const byStack = nameWithStack(declared.name, stackIn(claimant.resource));
  const isRenamed = !isOfInterrupted && byStack === "";
  const another = `Another stack or program may own it: then choose another \`name\`${byStack}`;
  const likely = isOfInterrupted
    ? "If an interrupted `pulumi up` of this stack created it, run `pulumi refresh --clear-pending-creates`, then set `adopt: true` " +
      `once. If another stack or program owns it, choose another \`name\`${byStack}: ${sharing}`
    : isRenamed
      ? "If the resource was renamed in the program, set the resource option `aliases`"
      : another;
  const isKept = retainOnDelete || keeperOfName(declared, dialect) !== undefined;
  const others = [
    ...(isRenamed ? [another.replace("A", "a")] : []),
    ...(isRenamed ? [] : ["`aliases` if the resource was renamed"]),
    ...(isKept ? [] : ["`deleteBeforeReplace: true` if `--replace` or `state taint` replaces it"]),
    ...(isOfInterrupted ? [] : [takeOver]),
  ];
  return `${likely}. Otherwise: ${others.join("; ")}`;
}

const sharing = "two stacks that adopt one deployment delete it from each other";

/** An interrupted `up` is seldom repeated later; milliseconds. */
const recently = 60 * 60_000;

/** Created within the hour, exactly with what is declared, and not updated since, as far as the service shows. */
function isProbablyInterrupted({ clock }: Context, declared: CheckedArguments, holder: Observed): boolean {
  const { sourceConfig } = declared;
  return (
    isLikelyResultOfPost(declared, holder, clock.now() - recently) &&
    differencesFrom({ sourceConfig }, holder).length === 0 &&
    !runsOlder(holder)
  );
}

/** Empty if the name has the stack in it. */
function nameWithStack(name: string, stack = "STACK"): string {
  const isPart = ` ${name} `.replace(/[^a-z0-9]+/gi, "-").includes(` ${stack} `.replace(/[^a-z0-9]+/gi, "-"));
  return isPart ? "" : ` (with the stack in it: ${name}-${stack})`;
}

const creationFirst =
  "the engine creates the replacement first. Set the resource option `deleteBeforeReplace: true`; if `retainOnDelete` keeps the " +
  "old deployment, choose another `name`, or set `adopt: true` where the source stays the same";

/**
 * Why the service is certain to refuse a replacement, because the old deployment leaves its name taken, and the ways out; undefined if
 * it can be created. Without a refusal before the deletion, nothing would be left.
 *
 * @param old the arguments of the deployment that is replaced
 * @param retainOnDelete the engine does not delete it
 */
export function refusalOfReplacement(
  old: Values,
  declared: Values,
  dialect: Dialect,
  retainOnDelete = false,
): string | undefined {
  if (old["name"] !== declared["name"]) return undefined;
  const isSameSource = declared["source"] === old["source"];
  if (retainOnDelete && isSameSource && declared["adopt"] === true) return undefined;
  if (retainOnDelete)
    return (
      "`retainOnDelete` keeps the old deployment and its name, so the service would refuse to create the replacement: " +
      `choose another \`name\`${isSameSource ? ", or set `adopt: true` to take the old one over" : ""}`
    );
  const keeper = keeperOfName(old, dialect);
  if (keeper === undefined) return undefined;
  const { what, freedBy } = keeper;
  return (
    `the service would refuse to create the replacement after the deletion, because ${what} still uses the name: choose another ` +
    `\`name\`, or first set only \`${freedBy}: true\` and run \`pulumi up\`, so that the replacement deletes it too`
  );
}
