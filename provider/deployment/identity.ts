/**
 * Whose deployment it is: the service, tenant and dialect it was made with. Through another connection it is not changed,
 * not deleted, and what is not found there is not deleted either.
 */
import { isUuid } from "../../schema/filters";
import { DeploymentError, ElsewhereError, isKind } from "../errors";
import { sanitize } from "../text/sanitize";
import type { Connected, Context, Observed } from "./service";
import type { MadeWith, State } from "./state";

/** What a deployment was made with, as far as its state tells. */
function madeWith(state: State): Partial<MadeWith> {
  const { tenantId } = state.observed;
  return { ...(tenantId && { tenantId }), ...state.private.madeWith };
}

/**
 * Whether the program gave the deployment to another service or tenant, which replaces it. Throws where the connection of the
 * same provider has changed: then it is not known whether that is meant.
 *
 * @param hasOtherProvider whether the program names another provider than before
 */
export function isMoved(state: State, connected: Connected, hasOtherProvider: boolean): boolean {
  if (hasOtherProvider && (isOtherAddress(state, connected) || isOtherTenant(state, connected))) return true;
  refuseElsewhere(state, connected);
  return false;
}

/** Throws where the connection is not the one that the deployment was made with. */
export function refuseElsewhere(state: State, connected: Connected): void {
  refuseOtherSettings(state, connected);
  refuseOtherAddress(state, connected);
}

/** As above, but for the address: what a refresh finds at another one decides. */
export function refuseOtherSettings(state: State, connected: Connected): void {
  const { tenantId, dialect } = madeWith(state);
  if (isOtherTenant(state, connected)) {
    throw new ElsewhereError(
      `the deployment belongs to tenant ${tenantId}, the connection is set to tenant ${connected.tenantId}`,
      `: nothing was assumed to be deleted. Set \`deployment-service:tenantId\` to ${tenantId}. ${onlyWithProgram}`,
    );
  }
  if (dialect === undefined || dialect === connected.dialect.name) return;
  throw new ElsewhereError(
    `the deployment was made with dialect ${dialect}, the connection is set to dialect ${connected.dialect.name}`,
    `: set \`deployment-service:dialect\` (DEPLOYMENT_SERVICE_DIALECT) to ${dialect}. Nothing was changed. ${onlyWithProgram}`,
  );
}

/** Without the program, the engine takes the settings of the last `up`. */
const onlyWithProgram = "`refresh` and `destroy` read the new value only with `--run-program`";

function isOtherTenant(state: State, { tenantId }: Connected): boolean {
  const made = madeWith(state).tenantId?.toLowerCase();
  return made !== undefined && tenantId !== undefined && made !== tenantId.toLowerCase();
}

export function isOtherAddress(state: State, connected: Connected): boolean {
  const { address } = madeWith(state);
  return address !== undefined && address !== connected.address;
}

/** @param isAsked whether the service at this address was asked, and does not have the deployment */
export function refuseOtherAddress(state: State, connected: Connected, isAsked = false): void {
  if (!isOtherAddress(state, connected)) return;
  const made = madeWith(state).address!;
  const brief = `the deployment was made at ${made}, the connection is set to ${connected.address}`;
  const back = `set \`deployment-service:baseUrl\` back to ${made}`;
  const gone = "If the deployment does not exist any more, run `pulumi state delete`. Nothing was changed";
  if (isAsked) {
    const other = "which does not have it and is probably another service";
    throw new ElsewhereError(brief, `, ${other}: ${back}. ${gone}`);
  }
  throw new ElsewhereError(
    brief,
    ". If that is the same service under a new address, run `pulumi refresh --run-program`: it accepts the new address if " +
      `it finds the same id and name there. If it is another service, ${back} and run \`pulumi destroy --run-program\` there ` +
      `first, or give the deployment another Provider, which moves it. ${gone}`,
  );
}

/** Throws where what the service answers under the id is not the deployment that the state means. */
export function refuseAnother(context: Context, state: State, observed: Observed): void {
  if (observed.name !== state.arguments.name) refuseOtherAddress(state, context, true);
  if (observed.source === state.arguments.source) return;
  throw new DeploymentError(
    `the service reports the source ${observed.source}, the state has ${String(state.arguments.source)}, and a source never ` +
      `changes: the setting \`deployment-service:dialect\` (DEPLOYMENT_SERVICE_DIALECT), now ${context.dialect.name}, does not ` +
      "fit this service. Nothing was changed",
  );
}

/**
 * What is to be remembered of the connection, once the service has answered.
 *
 * @param isWritten whether the service accepted a change, and so the key
 */
export function madeBy(
  { address, dialect, keyDigest }: Connected,
  { tenantId }: Observed,
  state?: State,
  isWritten = true,
): MadeWith {
  const made = state === undefined ? {} : madeWith(state);
  // A refresh with a rotated key is to find nothing changed.
  const key = isWritten || made.address !== address ? keyDigest : made.keyDigest;
  return {
    address,
    tenantId: made.tenantId ?? tenantId,
    dialect: dialect.name,
    ...(key !== undefined && { keyDigest: key }),
  };
}

/** What the service has under the id. Throws where not even its list is there: another address is the likely reason. */
export async function readHere(context: Context, id: string, state?: State): Promise<Observed | undefined> {
  try {
    return await context.service.read(id);
  } catch (error) {
    if (isKind(error, "not-found") && state !== undefined) refuseOtherAddress(state, context, true);
    if (isKind(error, "invalid") && !isUuid(id)) throw new DeploymentError(noId(id), { cause: error });
    throw error;
  }
}

/** What is likeliest to be passed for one is the name. */
function noId(id: string): string {
  const shown = sanitize(id, 100);
  return `"${shown}" is not the id of a deployment: expected a UUID. \`deployment-service list\` shows each deployment's id beside its name`;
}

/**
 * Throws where the key or the tenant may be the wrong one for the deployment: then "not found" does not mean that it was deleted,
 * and its replacement would be made in another tenant.
 */
export async function refuseBlindKey(context: Context, state: State): Promise<void> {
  refuseOtherAddress(state, context, true);
  const { tenantId: owner, keyDigest: maker } = madeWith(state);
  if (maker !== undefined && maker === context.keyDigest) return;
  if (owner != null && owner.toLowerCase() === context.tenantId?.toLowerCase()) return;
  if (await context.service.seesTenant(owner ?? null)) return;
  const tenant =
    owner == null
      ? ""
      : ` set \`deployment-service:tenantId\` to ${owner} (for \`refresh\` and \`destroy\`, DEPLOYMENT_SERVICE_TENANT_ID),`;
  throw new ElsewhereError(
    "the service shows this API key neither the deployment nor any other of its tenant",
    `, and the key is not the one that made it: nothing was changed. Use the right key,${tenant} or, if the deployment does ` +
      "not exist any more, run `pulumi state delete`",
  );
}
